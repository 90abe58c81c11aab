import { Box, Flex } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck, IconCopy, IconCopyX } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from './icon-button.tsx';
import textClasses from './text.module.css';

const shownMs = 3000;
const appearances = {
	idle: { icon: IconCopy },
	copied: { icon: IconCheck, style: { color: 'var(--positive)' } },
	failed: { icon: IconCopyX, style: { color: 'var(--negative)' } },
};

/** @returns false if copying failed, for example because the browser has no clipboard API without https */
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
			<Box
				component="span"
				role="status"
				c="var(--negative)"
				fz={13}
				className={outcome === 'failed' ? '' : textClasses.hidden}
			>
				{outcome === 'copied' && copied}
				{outcome === 'failed' && failed}
			</Box>
		</Flex>
	);
}
