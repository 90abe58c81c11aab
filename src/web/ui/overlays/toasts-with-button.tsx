import { Box, Flex } from '@mantine/core';
import { m } from '#messages';
import { dismissToast, toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { Button } from '../primitives/button.tsx';

export function toastWithUndo(sentence: string, onUndo: () => void, durationMs: number = toastMs.admin): void {
	const undo = () => {
		dismissToast(id);
		onUndo();
	};
	const id = toastSuccess(withButton(sentence, m.common_undo(), undo), durationMs);
}

const reloadToastMs = 20_000;

/**
 * Says why a script could not be loaded. If there is a connection, only loading the page again helps: the connection was
 * lost for a moment, or the server was upgraded after the page was opened and no longer has the script.
 */
export async function toastLoadFailure(): Promise<void> {
	const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '/';
	const response = await fetch(entry, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
	if (response === null || response.status >= 500) return void toastError(m.common_offline());
	toastError(
		withButton(m.common_scripts_failed(), m.common_reload(), () => window.location.reload()),
		reloadToastMs,
	);
}

function withButton(sentence: string, label: string, onClick: () => void) {
	return (
		<Flex component="span" align="center" gap={12}>
			<Box component="span" flex={1} style={{ overflowWrap: 'anywhere' }}>
				{sentence}
			</Box>
			<Button size="small" onClick={onClick}>
				{label}
			</Button>
		</Flex>
	);
}
