import { Group } from '@mantine/core';
import { IconBook2, IconMinus, IconPlus } from '@tabler/icons-react';
import { m } from '#messages';
import { ButtonLink } from '../../primitives/button.tsx';
import { iconProps } from '../../primitives/icon.ts';
import { IconButton } from '../../primitives/icon-button.tsx';
import { stepZoom } from './page-size.ts';
import classes from './pdf-toolbar.module.css';

interface PdfToolbarProps {
	/** ID under which the reader opens the document; null if the reader cannot open it. */
	documentId: string | null;
	page: number;
	pageCount: number;
	/** Zoom as a share: at 1 the page fits the viewport. */
	zoom: number;
	onZoom: (zoom: number) => void;
}

/** The bar below a viewport: page number, link to the reader, and zoom. */
export function PdfToolbar({ documentId, page, pageCount, zoom, onZoom }: PdfToolbarProps) {
	return (
		<>
			<span role="status">{m.reader_page_of({ page, count: pageCount })}</span>
			{documentId !== null && (
				<ButtonLink
					to="/read/file/$id"
					params={{ id: documentId }}
					aria-label={m.reader_open()}
					icon={<IconBook2 {...iconProps} />}
				>
					<span className={classes.onlyWide}>{m.reader_open()}</span>
					<span className={classes.onlyNarrow}>{m.screen_reader()}</span>
				</ButtonLink>
			)}
			<Group gap={2} wrap="nowrap">
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
			</Group>
		</>
	);
}
