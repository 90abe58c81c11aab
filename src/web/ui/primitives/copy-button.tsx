import { IconCheck, IconCopy, IconCopyX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './copy-button.module.css';
import { iconProps } from './icon.ts';
import { IconButton } from './icon-button.tsx';
import textClasses from './text.module.css';

const shownMs = 3000;
const icons = {
	idle: <IconCopy {...iconProps} />,
	copied: <IconCheck {...iconProps} color="var(--positive)" />,
	failed: <IconCopyX {...iconProps} color="var(--negative)" />,
};

interface CopyButtonProps {
	text: string;
	label: string;
	/** Texts announced when copying has worked, and when the browser refused it. */
	copied: string;
	failed: string;
	size?: 'small' | 'medium';
}

/** Copies a text to the clipboard and confirms it with an icon and to screen readers. */
export function CopyButton({ text, label, copied, failed, size = 'medium' }: CopyButtonProps) {
	const [outcome, setOutcome] = useState<keyof typeof icons>('idle');
	const timer = useRef<number>(undefined);
	useEffect(() => () => window.clearTimeout(timer.current), []);

	const copy = async () => {
		// Without https there is no clipboard API.
		const isCopied = await navigator.clipboard?.writeText(text).then(
			() => true,
			() => false,
		);
		setOutcome(isCopied === true ? 'copied' : 'failed');
		window.clearTimeout(timer.current);
		timer.current = window.setTimeout(() => setOutcome('idle'), shownMs);
	};

	return (
		<span className={classes.copy}>
			<IconButton size={size} label={label} icon={icons[outcome]} onClick={() => void copy()} />
			<span role="status" className={outcome === 'failed' ? classes.failed : textClasses.hidden}>
				{outcome === 'copied' && copied}
				{outcome === 'failed' && failed}
			</span>
		</span>
	);
}
