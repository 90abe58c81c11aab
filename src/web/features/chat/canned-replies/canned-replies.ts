import { useQuery } from '@tanstack/react-query';
import {
	type CannedReply,
	type CannedReplyFile,
	namePlaceholder,
	replyFilesPath,
} from '#contract/chat/canned-replies.ts';
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

/** Replaces the placeholder with the recipient's name. Removes the placeholder if the name is unknown. */
export function fillReply(message: string, name: string | null): string {
	// A replacer function, because a name may contain a replacement pattern such as `$&`.
	if (name !== null) return message.replaceAll(namePlaceholder, () => name);
	return message.replaceAll(` ${namePlaceholder}`, '').replaceAll(namePlaceholder, '');
}

type SearchedReply = Pick<CannedReply, 'name' | 'message'> & { files: ReadonlyArray<{ name: string }> };

/** Returns the replies whose name, text and file names together contain every word of the search. */
export function findReplies<Reply extends SearchedReply>(replies: readonly Reply[], search: string): Reply[] {
	const words = search.toLowerCase().split(/\s+/u);
	return replies.filter(({ name, message, files }) => {
		const all = [name, message, ...files.map((file) => file.name)].join('\n').toLowerCase();
		return words.every((word) => all.includes(word));
	});
}
