import { useQuery } from '@tanstack/react-query';
import { type CannedReply, type CannedReplyFile, replyFilesPath } from '#contract/chat/canned-replies.ts';
import { api, client } from '#web/platform/api/client.ts';
import { postFile } from '#web/platform/api/use-change.ts';

export const useCannedReplies = () => useQuery(api.cannedReplies.list.queryOptions());

export interface ReplyDraft {
	/** The stored reply; null for a new reply. */
	saved: CannedReply | null;
	name: string;
	message: string;
	removedFileIds: readonly string[];
	addedFiles: readonly File[];
}

/** Saves the text of a reply, then removes and adds files. After each step, `onSaved` receives the remaining draft. */
export async function saveReply(draft: ReplyDraft, onSaved: (draft: ReplyDraft) => void): Promise<void> {
	const reply = await saveText(draft);
	let { files } = reply;
	let remainingDraft = draft;
	const updateDraft = (change: Partial<ReplyDraft>) => {
		remainingDraft = { ...remainingDraft, ...change, saved: { ...reply, files } };
		onSaved(remainingDraft);
	};
	updateDraft({});
	for (const fileId of draft.removedFileIds) {
		await client.cannedReplies.removeFile({ id: reply.id, fileId });
		files = files.filter(({ id }) => id !== fileId);
		updateDraft({ removedFileIds: remainingDraft.removedFileIds.filter((id) => id !== fileId) });
	}
	for (const file of draft.addedFiles) {
		files = [...files, await postFile<CannedReplyFile>(replyFilesPath(reply.id), file)];
		updateDraft({ addedFiles: remainingDraft.addedFiles.filter((addedFile) => addedFile !== file) });
	}
}

function saveText({ saved, name, message }: ReplyDraft): Promise<CannedReply> {
	if (saved === null) return client.cannedReplies.add({ name, message });
	// The text is not saved again if it is unchanged, for example in a retry after the upload of a file has failed.
	if (saved.name === name.trim() && saved.message === message.trim()) return Promise.resolve(saved);
	return client.cannedReplies.update({ name, message, id: saved.id, version: saved.version });
}
