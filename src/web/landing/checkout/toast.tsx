import { useEffect } from 'react';
import { AlertIcon, CheckIcon, CloseIcon } from '../page/icons.tsx';

/** Source: the specification's section 9. */
const toastDurationMs = 5000;

export interface ToastMessage {
	/** A new ID shows the same message again. */
	id: number;
	tone: 'success' | 'failure';
	text: string;
}

interface ToastProps {
	message: ToastMessage | null;
	closeText: string;
	onClose: () => void;
}

/** The live region is always rendered: screen readers ignore messages in a new live region. */
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
