import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CannedReply, type CannedReplyFile, replyFilesPath } from '#contract/chat/canned-replies.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure, readFailedCall } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';

/** Returns the canned replies and the payment QR. */
export function useCannedReplies({ isEnabled = true } = {}) {
	return useQuery(api.cannedReplies.list.queryOptions({ enabled: isEnabled }));
}

/** The state of a reply's form. */
export interface ReplyDraft {
	/** The stored reply; null for a new one. */
	saved: CannedReply | null;
	name: string;
	message: string;
	removedFileIds: readonly string[];
	addedFiles: readonly File[];
}

/** Saves a reply: its text, then each file. Rejects at the first failure; `onSaved` gets what is saved by then. */
export function useSaveReply() {
	const queryClient = useQueryClient();
	return useMutation({
		mutationFn: async ({ draft, onSaved }: { draft: ReplyDraft; onSaved: (draft: ReplyDraft) => void }) => {
			const reply = await saveText(draft);
			let { files } = reply;
			let draftLeft = draft;
			const updateDraft = (change: Partial<ReplyDraft>) => {
				draftLeft = { ...draftLeft, ...change, saved: { ...reply, files } };
				onSaved(draftLeft);
			};
			updateDraft({});
			for (const fileId of draft.removedFileIds) {
				await client.cannedReplies.removeFile({ id: reply.id, fileId });
				files = files.filter(({ id }) => id !== fileId);
				updateDraft({ removedFileIds: draftLeft.removedFileIds.filter((id) => id !== fileId) });
			}
			for (const file of draft.addedFiles) {
				files = [...files, await uploadReplyFile(reply.id, file)];
				updateDraft({ addedFiles: draftLeft.addedFiles.filter((one) => one !== file) });
			}
		},
		onSuccess: () => toastSuccess(m.chat_replies_saved()),
		onSettled: () => queryClient.invalidateQueries({ queryKey: api.cannedReplies.key() }),
	});
}

function saveText({ saved, name, message }: ReplyDraft): Promise<CannedReply> {
	if (saved === null) return client.cannedReplies.add({ name, message });
	// A stored text is not saved again, so a retry after a failed file changes nothing.
	if (saved.name === name.trim() && saved.message === message.trim()) return Promise.resolve(saved);
	return client.cannedReplies.update({ name, message, id: saved.id, version: saved.version });
}

async function uploadReplyFile(replyId: string, file: File): Promise<CannedReplyFile> {
	const body = new FormData();
	body.append('file', file, file.name);
	const headers = { Accept: 'application/json' };
	const response = await fetch(replyFilesPath(replyId), { method: 'POST', body, headers });
	if (!response.ok) throw await readFailedCall(response);
	return response.json();
}

/** Deletes a reply; messages sent from it stay. */
export function useDeleteReply() {
	const queryClient = useQueryClient();
	return useMutation(
		api.cannedReplies.remove.mutationOptions({
			onSuccess: () => toastSuccess(m.chat_replies_deleted()),
			onError: (error) => toastError(describeFailure(error).message),
			onSettled: () => queryClient.invalidateQueries({ queryKey: api.cannedReplies.key() }),
		}),
	);
}

/** Saves the order of the replies. */
export function useReorderReplies() {
	const queryClient = useQueryClient();
	return useMutation(
		api.cannedReplies.sort.mutationOptions({
			onError: (error) => toastError(describeFailure(error).message),
			onSettled: () => queryClient.invalidateQueries({ queryKey: api.cannedReplies.key() }),
		}),
	);
}
