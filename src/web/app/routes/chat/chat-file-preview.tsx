import { lazy, Suspense } from 'react';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { previewOf } from '#contract/files/file-types.ts';
import { useOpenedInUrl } from '#web/platform/browser/url-state.ts';

const PreviewOverlay = lazy(async () => {
	const { PreviewOverlay } = await import('#web/features/files/preview/preview-overlay.tsx');
	return { default: PreviewOverlay };
});

/** Shows a file of a conversation full screen: the file of the message that the URL names. */
export function ChatFilePreview({ messages }: { messages: readonly ChatMessage[] }) {
	const { opened, close } = useOpenedInUrl('preview');
	const message = messages.find(({ id, isFile }) => isFile && id === opened);
	const files =
		message === undefined
			? []
			: [
					{
						id: message.id,
						name: message.fileName ?? '',
						size: message.fileSizeBytes ?? 0,
						url: message.message,
						preview: previewOf(message.fileName ?? '', message.fileType),
						thumb: null,
						documentId: null,
					},
				];
	return (
		<Suspense>
			<PreviewOverlay files={files} shownId={message?.id ?? null} onShow={() => {}} onClose={close} />
		</Suspense>
	);
}
