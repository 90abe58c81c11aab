import type { ChatMessage } from '#contract/chat/chat.ts';
import { previewOf } from '#contract/files/file-types.ts';
import { FilePreview } from '#web/features/files/preview/file-preview.tsx';
import { useOpenedInUrl } from '#web/platform/browser/url-state.ts';

/** Shows a message's file full screen. `?preview=` contains the message's ID. */
export function ChatFilePreview({ messages }: { messages: readonly ChatMessage[] }) {
	const { opened, close } = useOpenedInUrl('preview');
	const message = messages.find(({ id, isFile }) => isFile && id === opened);
	const name = message?.fileName ?? '';
	const file = message && {
		id: message.id,
		name,
		size: message.fileSizeBytes ?? 0,
		url: message.message,
		preview: previewOf(name, message.fileType),
		thumb: null,
		documentId: null,
	};
	return <FilePreview files={file ? [file] : []} shownId={file?.id ?? null} onShow={() => {}} onClose={close} />;
}
