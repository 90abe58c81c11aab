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

/**
 * Saves a reply: first its text, then its files one by one. Rejects at the first failure; `onSaved` is called with what
 * has been saved by then.
 */
export function useSaveReply() {
	const queryClient = useQueryClient();
	return useMutation({
		mutationFn: async ({ draft, onSaved }: { draft: ReplyDraft; onSaved: (draft: ReplyDraft) => void }) => {
			let draftLeft = draft;
			const updateDraft = (change: Partial<ReplyDraft>) => {
				draftLeft = { ...draftLeft, ...change };
				onSaved(draftLeft);
			};
			const text = { name: draft.name, message: draft.message };
			const reply = await saveText(draft, text);
			updateDraft({ saved: reply });
			for (const fileId of draft.removedFileIds) {
				await client.cannedReplies.removeFile({ id: reply.id, fileId });
				const files = (draftLeft.saved ?? reply).files.filter(({ id }) => id !== fileId);
				updateDraft({
					saved: { ...reply, files },
					removedFileIds: draftLeft.removedFileIds.filter((id) => id !== fileId),
				});
			}
			for (const file of draft.addedFiles) {
				const savedFile = await uploadReplyFile(reply.id, file);
				const files = [...(draftLeft.saved ?? reply).files, savedFile];
				updateDraft({ saved: { ...reply, files }, addedFiles: draftLeft.addedFiles.filter((one) => one !== file) });
			}
		},
		onSuccess: () => toastSuccess(m.chat_replies_saved()),
		onSettled: () => queryClient.invalidateQueries({ queryKey: api.cannedReplies.key() }),
	});
}

function saveText({ saved }: ReplyDraft, text: { name: string; message: string }): Promise<CannedReply> {
	if (saved === null) return client.cannedReplies.add(text);
	// A stored text is not saved again, so a retry after a failed file changes nothing.
	if (saved.name === text.name.trim() && saved.message === text.message.trim()) return Promise.resolve(saved);
	return client.cannedReplies.update({ ...text, id: saved.id, version: saved.version });
}

async function uploadReplyFile(replyId: string, file: File): Promise<CannedReplyFile> {
	const body = new FormData();
	body.append('file', file, file.name);
	const response = await fetch(replyFilesPath(replyId), {
		method: 'POST',
		body,
		headers: { Accept: 'application/json' },
	});
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
