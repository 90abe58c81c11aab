import { IconMinus, IconPlus } from '@tabler/icons-react';
import { m } from '#messages';
import { iconProps } from '../icon.ts';
import { IconButton } from '../icon-button.tsx';
import { stepZoom } from './page-size.ts';
import classes from './pdf-tools.module.css';

interface PdfToolsProps {
	page: number;
	pageCount: number;
	/** 1 fits the desk. */
	zoom: number;
	onZoom: (zoom: number) => void;
}

/** What stands in the line below a desk: the page's number, and the zoom. */
export function PdfTools({ page, pageCount, zoom, onZoom }: PdfToolsProps) {
	return (
		<>
			<span role="status">{m.reader_page_of({ page, count: pageCount })}</span>
			<div className={classes.zoom}>
				<IconButton
					label={m.reader_zoom_out()}
					icon={<IconMinus {...iconProps} />}
					onClick={() => onZoom(stepZoom(zoom, -1))}
				/>
				<span className={classes.percent}>{`${Math.round(zoom * 100)}%`}</span>
				<IconButton
					label={m.reader_zoom_in()}
					icon={<IconPlus {...iconProps} />}
					onClick={() => onZoom(stepZoom(zoom, 1))}
				/>
			</div>
		</>
	);
}
