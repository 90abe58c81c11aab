import { IconCheck, IconCopy, IconCopyX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './copy-button.module.css';
import { iconProps } from './icon.ts';
import { IconButton } from './icon-button.tsx';

const shownMs = 3000;
const icons = { idle: IconCopy, copied: IconCheck, failed: IconCopyX };

interface CopyButtonProps {
	text: string;
	/** What a press does. */
	label: string;
	/** Said when it has worked, and when the browser refused. */
	copied: string;
	failed: string;
	size?: 'small' | 'medium';
}

/** Puts a text on the clipboard and says so, with a mark and to screen readers. */
export function CopyButton({ text, label, copied, failed, size = 'medium' }: CopyButtonProps) {
	const [outcome, setOutcome] = useState<keyof typeof icons>('idle');
	const timer = useRef<number>(undefined);
	useEffect(() => () => window.clearTimeout(timer.current), []);

	const copy = async () => {
		// Without https there is no clipboard at all.
		const isCopied = await navigator.clipboard?.writeText(text).then(
			() => true,
			() => false,
		);
		setOutcome(isCopied === true ? 'copied' : 'failed');
		window.clearTimeout(timer.current);
		timer.current = window.setTimeout(() => setOutcome('idle'), shownMs);
	};

	const OutcomeIcon = icons[outcome];
	return (
		<span className={classes.copy} data-outcome={outcome}>
			<IconButton size={size} label={label} icon={<OutcomeIcon {...iconProps} />} onClick={() => void copy()} />
			<span role="status" className={outcome === 'failed' ? classes.failed : classes.hidden}>
				{outcome === 'copied' && copied}
				{outcome === 'failed' && failed}
			</span>
		</span>
	);
}
