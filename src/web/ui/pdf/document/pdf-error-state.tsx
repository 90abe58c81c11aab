import { m } from '#messages';
import { DeniedState, FailedState } from '../../states/states.tsx';

interface PdfErrorStateProps {
	state: 'failed' | 'locked' | 'broken';
	/** What could not be opened, where trying again may help. */
	text: string;
	detail?: string;
	onRetry: () => void;
}

/** A document that cannot be shown, and why: only where another try may help there is one. */
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
