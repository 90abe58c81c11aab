import { IconMinus, IconPlus } from '@tabler/icons-react';
import { m } from '#messages';
import { stepZoom, type Zoom } from '#web/ui/pdf/viewer/page-size.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from '../reader.module.css';

interface ReaderZoomProps {
	zoom: Zoom;
	onZoom: (zoom: Zoom) => void;
}

export function ReaderZoom({ zoom, onZoom }: ReaderZoomProps) {
	const percent = typeof zoom === 'number' ? Math.round(zoom * 100) : null;
	const fit = zoom === 'page' ? m.reader_fit_page() : m.reader_fit_text();
	return (
		// biome-ignore lint/a11y/useSemanticElements: three buttons, no form.
		<div className={classes.zoom} role="group" aria-label={m.reader_zoom()}>
			<IconButton label={m.reader_zoom_out()} icon={IconMinus} onClick={() => onZoom(stepZoom(zoom, -1))} />
			<button
				type="button"
				className={classes.percent}
				aria-label={percent === null ? m.reader_zoom_usual({ fit }) : m.reader_zoom_reset({ percent })}
				onClick={() => onZoom(1)}
			>
				{percent === null ? fit : m.reader_percent({ percent })}
			</button>
			<IconButton label={m.reader_zoom_in()} icon={IconPlus} onClick={() => onZoom(stepZoom(zoom, 1))} />
		</div>
	);
}
