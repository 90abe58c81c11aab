import { Flex } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type Icon, IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { downloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatSize } from '#web/platform/formats/format.ts';
import classes from '#web/ui/overlays/full-screen.module.css';
import { FullScreenBar, FullScreenDialog } from '#web/ui/overlays/full-screen.tsx';
import { hasOwnKeyboardHandling, usePageTouch } from '#web/ui/pdf/viewer/use-page-navigation.ts';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { PreviewContent } from './preview-content.tsx';
import type { PreviewFile } from './preview-files.ts';

interface PreviewOverlayProps {
	files: readonly PreviewFile[];
	shownId: string | null;
	onShow: (id: string) => void;
	onClose: () => void;
}

/** On close, the focus returns to the row of the file. */
export function PreviewOverlay({ shownId, ...props }: PreviewOverlayProps) {
	const index = props.files.findIndex(({ id }) => id === shownId);
	const file = props.files[index];
	return file && <OpenPreview file={file} index={index} {...props} />;
}

interface OpenPreviewProps extends Omit<PreviewOverlayProps, 'shownId'> {
	file: PreviewFile;
	index: number;
}

function OpenPreview({ file, index, files, onShow, onClose }: OpenPreviewProps) {
	const adjacent = (direction: 1 | -1) => files[index + direction];
	const step = (direction: 1 | -1) => {
		const next = adjacent(direction);
		if (next) onShow(next.id);
	};
	const stepButton = (direction: 1 | -1, label: string, icon: Icon) => (
		<IconButton
			label={label}
			icon={icon}
			disabled={adjacent(direction) === undefined}
			onClick={() => step(direction)}
		/>
	);
	const meta = `${formatSize(file.size)} · ${m.files_position({ index: index + 1, count: files.length })}`;
	const stage = useRef<HTMLDivElement>(null);
	const swipe = usePageTouch(stage, { turnPage: step });
	// A swipe changes the file, unless it turns the pages of a PDF or seeks in a player.
	const isSwiped = file.preview === 'image' || file.preview === null;

	// The arrow keys change the file, unless they turn the pages of a PDF, seek in a player or move a text cursor.
	useWindowEvent('keydown', ({ key, target }) => {
		if (file.preview === 'pdf' || target instanceof HTMLMediaElement || hasOwnKeyboardHandling(target)) return;
		if (key === 'ArrowRight') step(1);
		else if (key === 'ArrowLeft') step(-1);
	});

	const next = adjacent(1);
	useEffect(() => {
		if (next?.preview === 'image') new Image().src = next.url;
	}, [next?.preview, next?.url]);

	return (
		<FullScreenDialog onClose={onClose}>
			<FullScreenBar name={file.name} meta={meta} onClose={onClose}>
				{stepButton(-1, m.files_previous_file(), IconChevronLeft)}
				{stepButton(1, m.files_next_file(), IconChevronRight)}
				<ButtonAnchor
					variant="quiet"
					aria-label={m.files_download_of({ name: file.name })}
					icon={IconDownload}
					href={downloadUrl(file.url)}
					download
				>
					<span className={textClasses.hiddenOnPhone}>{m.files_download()}</span>
				</ButtonAnchor>
			</FullScreenBar>
			<Flex
				direction="column"
				flex={1}
				mih={0}
				ref={stage}
				className={isSwiped ? classes.swiped : undefined}
				{...(isSwiped && swipe)}
			>
				<PreviewContent key={file.id} file={file} />
			</Flex>
			<p className={textClasses.hidden} role="status">
				{`${file.name}, ${meta}`}
			</p>
		</FullScreenDialog>
	);
}
