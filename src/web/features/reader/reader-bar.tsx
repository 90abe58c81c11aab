import { useFullscreenDocument } from '@mantine/hooks';
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
import type { ReactNode } from 'react';
import { m } from '#messages';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './reader-bar.module.css';
import { ReaderView } from './reader-view.tsx';
import { useReaderWords } from './reader-words.ts';
import { ReaderZoom } from './reader-zoom.tsx';
import type { PageBookmark } from './use-open-mark.ts';
import type { ReadingSettings } from './use-reading-settings.ts';

/** What is read, as the bar names it. */
export interface ReadTitle {
	name: string;
	/** Of the name; undefined where nobody knows. */
	language?: string;
	/** Stands below the name. */
	note: string;
}

interface ReaderBarProps {
	title: ReadTitle;
	/** The way out. */
	back: ReactNode;
	/** To other editions; nothing where there are none. */
	switches: ReactNode;
	settings: ReadingSettings;
	/** Opens the outline where there is no room for it beside the page; undefined without one. */
	onOutline: (() => void) | undefined;
	onSearch: () => void;
	/** Of the page that is open; undefined before one is. */
	bookmark: PageBookmark | undefined;
}

/** Above the page: what is read, search, how it looks. Nothing here downloads or prints. */
export function ReaderBar(props: ReaderBarProps) {
	const { title, back, switches, settings, onOutline, onSearch, bookmark } = props;
	const words = useReaderWords();
	const isNight = settings.tone === 'night';
	return (
		<header className={classes.bar}>
			{back}
			{onOutline && (
				<IconButton label={m.reader_outline()} icon={<IconListTree {...iconProps} />} onClick={onOutline} />
			)}
			<div className={classes.words}>
				<h1 className={classes.title} lang={title.language} title={title.name}>
					<bdi>{title.name}</bdi>
				</h1>
				<p className={classes.edition}>{title.note}</p>
			</div>
			<div className={classes.switches}>{switches}</div>
			{bookmark && (
				<IconButton
					variant="default"
					label={bookmark.isSet ? m.reader_bookmark_remove() : m.reader_bookmark_set()}
					aria-pressed={bookmark.isSet}
					aria-keyshortcuts="b"
					icon={bookmark.isSet ? <IconBookmarkFilled {...iconProps} /> : <IconBookmark {...iconProps} />}
					onClick={bookmark.toggle}
				/>
			)}
			<IconButton
				variant="default"
				label={words.search}
				aria-keyshortcuts="/"
				icon={<IconSearch {...iconProps} />}
				onClick={onSearch}
			/>
			<div className={classes.wide}>
				<ReaderZoom zoom={settings.zoom} onZoom={settings.setZoom} />
			</div>
			<IconButton
				variant="default"
				className={classes.wide ?? ''}
				label={isNight ? m.reader_day() : m.reader_night()}
				icon={isNight ? <IconSun {...iconProps} /> : <IconMoon {...iconProps} />}
				onClick={() => settings.setTone(isNight ? 'day' : 'night')}
			/>
			<ReaderView {...settings} />
			<FullScreen />
		</header>
	);
}

function FullScreen() {
	const { fullscreen, toggle } = useFullscreenDocument();
	if (!document.fullscreenEnabled) return null;
	return (
		<IconButton
			variant="default"
			className={classes.wide ?? ''}
			label={fullscreen ? m.reader_fullscreen_end() : m.reader_fullscreen()}
			icon={fullscreen ? <IconMinimize {...iconProps} /> : <IconMaximize {...iconProps} />}
			onClick={() => void toggle()}
		/>
	);
}
