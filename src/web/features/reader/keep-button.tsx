import { IconDeviceMobileDown, IconDeviceMobileX } from '@tabler/icons-react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { formatSize } from '#web/platform/format.ts';
import { useMe } from '#web/platform/session.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import classes from './keep-button.module.css';
import type { KeepFailure } from './keep-edition.ts';
import { drop, keep, useKeptEdition } from './kept-editions.ts';

const failureWords: Record<Exclude<KeepFailure, 'over'>, () => string> = {
	room: m.reader_keep_no_room,
	line: m.reader_keep_no_line,
	denied: m.reader_keep_denied,
};

/** Keeps an edition on this device for reading without a line, and removes it again; nothing where that cannot be. */
export function KeepButton({ edition }: { edition: ShelfEdition }) {
	const me = useMe();
	const here = useKeptEdition(edition);
	if (here === null || edition.copy.state !== 'ready') return null;
	const start = async () => {
		const failure = await keep(me.id, edition);
		if (failure !== null && failure !== 'over') toastError(failureWords[failure]());
	};
	const remove = async () => {
		await drop(edition.key);
		toastSuccess(m.reader_keep_removed());
	};
	const size = formatSize(edition.size);
	if (here.share !== undefined) {
		const words = m.reader_keep_arriving({ percent: Math.round(here.share * 100), size });
		return (
			<div className={classes.state} role="status">
				<p>{words}</p>
				<ProgressBar label={words} value={here.share} />
				<Button size="small" onClick={() => void drop(edition.key)}>
					{m.common_cancel()}
				</Button>
			</div>
		);
	}
	if (here.edition?.isWhole) {
		return (
			<div className={classes.state}>
				<p role="status">{m.reader_kept({ size })}</p>
				<Button isFullWidth icon={<IconDeviceMobileX {...iconProps} />} onClick={() => void remove()}>
					{m.reader_keep_remove()}
				</Button>
			</div>
		);
	}
	return (
		<Button isFullWidth icon={<IconDeviceMobileDown {...iconProps} />} onClick={() => void start()}>
			{here.edition === undefined ? m.reader_keep({ size }) : m.reader_keep_go_on({ size })}
		</Button>
	);
}
