import { IconDeviceMobileDown, IconDeviceMobileX } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { formatSize } from '#web/platform/format.ts';
import { useMe } from '#web/platform/session.ts';
import { toastSuccess } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import classes from './keep-button.module.css';
import { drop, keep, sayNotKept, useKeptEdition } from './kept-editions.ts';

/** Keeps an edition on this device for reading without a line, and removes it again; nothing where that cannot be. */
export function KeepButton({ edition }: { edition: ShelfEdition }) {
	const me = useMe();
	const here = useKeptEdition(edition);
	const share = here?.share;
	const isWhole = here?.edition?.isWhole === true;
	const [box, press] = usePressedFocus(share !== undefined ? 'arriving' : isWhole ? 'whole' : 'absent');
	if (here === null || edition.copy.state !== 'ready') return null;
	const size = formatSize(edition.size);
	const start = async () => {
		press();
		sayNotKept(await keep(me.id, edition));
	};
	const remove = async () => {
		press();
		await drop(edition.key);
		toastSuccess(m.reader_keep_removed());
	};
	if (share !== undefined) {
		const words = m.reader_keep_arriving({ percent: Math.round(share * 100), size });
		return (
			<div ref={box} className={classes.state}>
				<p>{words}</p>
				<ProgressBar label={words} value={share} />
				<Button size="small" onClick={() => void remove()}>
					{m.common_cancel()}
				</Button>
			</div>
		);
	}
	if (isWhole) {
		return (
			<div ref={box} className={classes.state}>
				<p role="status">{m.reader_kept({ size })}</p>
				<Button isFullWidth icon={<IconDeviceMobileX {...iconProps} />} onClick={() => void remove()}>
					{m.reader_keep_remove()}
				</Button>
			</div>
		);
	}
	return (
		<div ref={box} className={classes.state}>
			<Button isFullWidth icon={<IconDeviceMobileDown {...iconProps} />} onClick={() => void start()}>
				{here.edition === undefined ? m.reader_keep({ size }) : m.reader_keep_go_on({ size })}
			</Button>
		</div>
	);
}

/** The button that was pressed leaves with what it has changed: the focus goes to the one in its place. */
function usePressedFocus(face: string): [RefObject<HTMLDivElement | null>, () => void] {
	const box = useRef<HTMLDivElement>(null);
	const isPressed = useRef(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each face has a button of its own.
	useEffect(() => {
		if (!isPressed.current || document.activeElement !== document.body) return;
		box.current?.querySelector('button')?.focus();
	}, [face]);
	const press = useCallback(() => {
		isPressed.current = true;
	}, []);
	return [box, press];
}
