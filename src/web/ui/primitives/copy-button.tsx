import { Flex } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck, IconCopy, IconCopyX } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './copy-button.module.css';
import { IconButton } from './icon-button.tsx';
import textClasses from './text.module.css';

const shownMs = 3000;
const appearances = {
	idle: { icon: IconCopy },
	copied: { icon: IconCheck, style: { color: 'var(--positive)' } },
	failed: { icon: IconCopyX, style: { color: 'var(--negative)' } },
};

/** Copies a text to the clipboard. @returns whether it worked: without https there is no clipboard API */
export async function copyText(text: string): Promise<boolean> {
	const copied = navigator.clipboard?.writeText(text).then(
		() => true,
		() => false,
	);
	return (await copied) ?? false;
}

interface CopyButtonProps {
	text: string;
	label: string;
	copied: string;
	failed: string;
	size?: 'small' | 'medium';
}

/** Copies a text to the clipboard and confirms it with an icon and to screen readers. */
export function CopyButton({ text, label, copied, failed, size = 'medium' }: CopyButtonProps) {
	const [outcome, setOutcome] = useState<keyof typeof appearances>('idle');
	const resetLater = useDebouncedCallback(() => setOutcome('idle'), shownMs);
	const copy = async () => {
		setOutcome((await copyText(text)) ? 'copied' : 'failed');
		resetLater();
	};

	return (
		<Flex component="span" align="center" gap={4} flex="none">
			<IconButton size={size} label={label} {...appearances[outcome]} onClick={() => void copy()} />
			<span role="status" className={outcome === 'failed' ? classes.failed : textClasses.hidden}>
				{outcome === 'copied' && copied}
				{outcome === 'failed' && failed}
			</span>
		</Flex>
	);
}
