import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CannedReply, type CannedReplyFile, replyFilesPath } from '#contract/chat/canned-replies.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api.ts';
import { describeFailure, failedCall } from '#web/platform/failure.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

/** Answers kept ready, and the payment QR. */
export function useCannedReplies({ isEnabled = true } = {}) {
	return useQuery(api.cannedReplies.list.queryOptions({ enabled: isEnabled }));
}

/** A reply as its form holds it. */
export interface ReplyDraft {
	/** Null for a new one. */
	saved: CannedReply | null;
	name: string;
	message: string;
	removed: readonly string[];
	added: readonly File[];
}

/**
 * Saves a reply: first its words, then its files one by one. Rejects at the first that fails; `onSaved` has heard by then
 * what of it stands already.
 */
export function useSaveReply() {
	const queryClient = useQueryClient();
	return useMutation({
		mutationFn: async ({ draft, onSaved }: { draft: ReplyDraft; onSaved: (draft: ReplyDraft) => void }) => {
			let left = draft;
			const settle = (change: Partial<ReplyDraft>) => {
				left = { ...left, ...change };
				onSaved(left);
			};
			const words = { name: draft.name, message: draft.message };
			const reply = await saveWords(draft, words);
			settle({ saved: reply });
			for (const fileId of draft.removed) {
				await client.cannedReplies.removeFile({ id: reply.id, fileId });
				const files = (left.saved ?? reply).files.filter(({ id }) => id !== fileId);
				settle({ saved: { ...reply, files }, removed: left.removed.filter((id) => id !== fileId) });
			}
			for (const file of draft.added) {
				const kept = await sendFile(reply.id, file);
				const files = [...(left.saved ?? reply).files, kept];
				settle({ saved: { ...reply, files }, added: left.added.filter((one) => one !== file) });
			}
		},
		onSuccess: () => toastSuccess(m.chat_replies_saved()),
		onSettled: () => queryClient.invalidateQueries({ queryKey: api.cannedReplies.key() }),
	});
}

function saveWords({ saved }: ReplyDraft, words: { name: string; message: string }): Promise<CannedReply> {
	if (saved === null) return client.cannedReplies.add(words);
	// What stands is not saved once more: a second try after a file failed is no change.
	if (saved.name === words.name.trim() && saved.message === words.message.trim()) return Promise.resolve(saved);
	return client.cannedReplies.update({ ...words, id: saved.id, version: saved.version });
}

async function sendFile(replyId: string, file: File): Promise<CannedReplyFile> {
	const body = new FormData();
	body.append('file', file, file.name);
	const response = await fetch(replyFilesPath(replyId), {
		method: 'POST',
		body,
		headers: { Accept: 'application/json' },
	});
	if (!response.ok) throw await failedCall(response);
	return response.json();
}

/** Deletes a reply; what was sent of it stays. */
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

/** Puts the replies into another order. */
export function useSortReplies() {
	const queryClient = useQueryClient();
	return useMutation(
		api.cannedReplies.sort.mutationOptions({
			onError: (error) => toastError(describeFailure(error).message),
			onSettled: () => queryClient.invalidateQueries({ queryKey: api.cannedReplies.key() }),
		}),
	);
}
