import { useEffect } from 'react';
import { AlertIcon, CheckIcon, CloseIcon } from '../page/icons.tsx';

/** How long a message stays (the specification's section 9). */
const toastDurationMs = 5000;

export interface ToastMessage {
	/** A new number shows the same words anew. */
	id: number;
	tone: 'success' | 'failure';
	text: string;
}

interface ToastProps {
	message: ToastMessage | null;
	closeText: string;
	onClose: () => void;
}

/** The page's one message at the top right. The region stands there from the start, so that voices notice its words. */
export function Toast({ message, closeText, onClose }: ToastProps) {
	useEffect(() => {
		if (!message) return;
		const timer = setTimeout(onClose, toastDurationMs);
		return () => clearTimeout(timer);
	}, [message, onClose]);
	return (
		<div className="toasts" role="status">
			{message && (
				<div className={`toast toast-${message.tone}`} key={message.id}>
					{message.tone === 'success' ? <CheckIcon /> : <AlertIcon />}
					<p>{message.text}</p>
					<button type="button" className="icon-button" aria-label={closeText} onClick={onClose}>
						<CloseIcon size={18} />
					</button>
				</div>
			)}
		</div>
	);
}
