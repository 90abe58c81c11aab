import { Stack } from '@mantine/core';
import { IconDeviceMobileDown, IconDeviceMobileX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatSize } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { removeOfflineCopy, showOfflineCopyFailure, startOfflineCopy, useOfflineCopy } from './offline-copies.ts';

/** Saves an edition for offline reading, or removes it; renders nothing where that is not possible. */
export function OfflineCopyButton({ edition }: { edition: ShelfEdition }) {
	const me = useMe();
	const offlineCopy = useOfflineCopy(edition);
	const share = offlineCopy?.share;
	const isWhole = offlineCopy?.edition?.isWhole === true;
	const [box, rememberPress] = useFocusAfterPress(
		share !== undefined ? 'downloading' : isWhole ? 'complete' : 'absent',
	);
	if (offlineCopy === null || edition.copy.state !== 'ready') return null;
	const size = formatSize(edition.size);
	const start = async () => {
		rememberPress();
		showOfflineCopyFailure(await startOfflineCopy(me.id, edition));
	};
	const remove = async () => {
		rememberPress();
		await removeOfflineCopy(edition.key);
		toastSuccess(m.reader_offline_deleted());
	};
	const progressLabel = m.reader_offline_saving({ percent: Math.round((share ?? 0) * 100), size });
	return (
		<Stack ref={box} gap={8} c="var(--muted)" fz={13} style={{ fontVariantNumeric: 'tabular-nums' }}>
			{share !== undefined ? (
				<>
					<p>{progressLabel}</p>
					<ProgressBar label={progressLabel} value={share} />
					<Button size="small" onClick={() => void remove()}>
						{m.common_cancel()}
					</Button>
				</>
			) : isWhole ? (
				<>
					<p role="status">{m.reader_offline_saved({ size })}</p>
					<Button isFullWidth icon={IconDeviceMobileX} onClick={() => void remove()}>
						{m.reader_offline_delete()}
					</Button>
				</>
			) : (
				<Button isFullWidth icon={IconDeviceMobileDown} onClick={() => void start()}>
					{offlineCopy.edition === undefined ? m.reader_offline_save({ size }) : m.reader_offline_resume({ size })}
				</Button>
			)}
		</Stack>
	);
}

/** Moves the focus to the new button when a change of state replaces the pressed button. */
function useFocusAfterPress(state: string) {
	const box = useRef<HTMLDivElement>(null);
	const isPressed = useRef(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the button is replaced when the state changes.
	useEffect(() => {
		if (!isPressed.current || document.activeElement !== document.body) return;
		box.current?.querySelector('button')?.focus();
	}, [state]);
	const rememberPress = () => {
		isPressed.current = true;
	};
	return [box, rememberPress] as const;
}
