import { Box } from '@mantine/core';
import { useFullscreenDocument, useWindowEvent } from '@mantine/hooks';
import {
	IconBookmark,
	IconBookmarkFilled,
	IconListTree,
	IconMaximize,
	IconMinimize,
	IconMoon,
	IconSearch,
	IconSun,
} from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { m } from '#messages';
import { hasOwnKeyboardHandling } from '#web/ui/pdf/viewer/use-page-navigation.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import type { AnnotationActions } from '../../annotations/use-annotation-actions.ts';
import classes from '../reader.module.css';
import { ReaderLabels } from '../reader-states.tsx';
import { ReaderZoom, type ReadingSettings, ViewSettingsMenu } from './view-settings-menu.tsx';

export interface ReaderTitle {
	name: string;
	language?: string;
	/** '' for the only edition of the book. */
	note: string;
}

interface ReaderBarProps {
	title: ReaderTitle;
	back: ReactNode;
	switches: ReactNode;
	settings: ReadingSettings;
	/** Opens the outline in a drawer; undefined if the outline is shown beside the page. */
	onOutline: (() => void) | undefined;
	onSearch: () => void;
	bookmark: AnnotationActions['bookmark'] | undefined;
}

/** Has no controls for download or printing. */
export function ReaderBar(props: ReaderBarProps) {
	const { title, back, switches, settings, onOutline, onSearch, bookmark } = props;
	const labels = useContext(ReaderLabels);
	const isNight = settings.tone === 'night';
	return (
		<header className={classes.bar}>
			{back}
			{onOutline && <IconButton label={m.reader_outline()} icon={IconListTree} onClick={onOutline} />}
			<Box flex={1} miw={0} lh={1.3}>
				<h1 className={classes.title} lang={title.language} title={title.name}>
					<bdi>{title.name}</bdi>
				</h1>
				{title.note !== '' && <p className={classes.edition}>{title.note}</p>}
			</Box>
			<div className={classes.switches}>{switches}</div>
			{bookmark && (
				<IconButton
					variant="default"
					label={bookmark.isSet ? m.reader_bookmark_remove() : m.reader_bookmark_set()}
					aria-pressed={bookmark.isSet}
					aria-keyshortcuts="b"
					icon={bookmark.isSet ? IconBookmarkFilled : IconBookmark}
					onClick={bookmark.toggle}
				/>
			)}
			<IconButton
				variant="default"
				label={labels.search()}
				aria-keyshortcuts="/"
				icon={IconSearch}
				onClick={onSearch}
			/>
			<div className={classes.onlyWide}>
				<ReaderZoom zoom={settings.zoom} onZoom={settings.setZoom} />
			</div>
			<IconButton
				variant="default"
				className={classes.onlyWide ?? ''}
				label={isNight ? m.reader_day() : m.reader_night()}
				icon={isNight ? IconSun : IconMoon}
				onClick={() => settings.setTone(isNight ? 'day' : 'night')}
			/>
			<ViewSettingsMenu {...settings} />
			<FullScreenButton />
		</header>
	);
}

function FullScreenButton() {
	const { fullscreen, toggle } = useFullscreenDocument();
	if (!document.fullscreenEnabled) return null;
	return (
		<IconButton
			variant="default"
			className={classes.onlyWide ?? ''}
			label={fullscreen ? m.reader_fullscreen_end() : m.reader_fullscreen()}
			icon={fullscreen ? IconMinimize : IconMaximize}
			onClick={() => void toggle()}
		/>
	);
}

interface ReaderKeyHandlers {
	/** Called for `/` and for the browser's find shortcut, because the browser finds only text on rendered pages. */
	onSearch: () => void;
	/** Called for `b`; undefined while no page is open. */
	onBookmark: (() => void) | undefined;
	onJump: () => void;
}

/** Keyboard shortcuts of the reader; the page turns have others. */
export function useReaderKeys({ onSearch, onBookmark, onJump }: ReaderKeyHandlers): void {
	useWindowEvent('keydown', (event) => {
		const isWithControl = event.ctrlKey || event.metaKey;
		if (event.altKey || event.repeat) return;
		const isFind = isWithControl && event.key.toLowerCase() === 'f';
		const isPlain = !isWithControl && !hasOwnKeyboardHandling(event.target);
		if (isFind || (isPlain && event.key === '/')) {
			event.preventDefault();
			onSearch();
		}
		if (isPlain && event.key === 'b') onBookmark?.();
		if (isPlain && event.key === 'g') {
			event.preventDefault();
			onJump();
		}
	});
}
