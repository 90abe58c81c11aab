import { m } from '#messages';
import { DeniedState, FailedState } from '../../states/states.tsx';

interface PdfErrorStateProps {
	state: 'failed' | 'locked' | 'broken';
	/** Text for an error where trying again may help. */
	text: string;
	detail?: string;
	onRetry: () => void;
}

/** Says that a document cannot be shown, and why. Offers another try only where that may help. */
export function PdfErrorState({ state, text, detail, onRetry }: PdfErrorStateProps) {
	if (state === 'failed') return <FailedState text={text} detail={detail} onRetry={onRetry} />;
	return (
		<div role="alert">
			{state === 'locked' ? (
				<DeniedState title={m.pdf_locked()} text={m.pdf_locked_detail()} />
			) : (
				<DeniedState title={m.pdf_broken()} text={m.pdf_broken_detail()} />
			)}
		</div>
	);
}
