import { useFullscreenDocument } from '@mantine/hooks';
import {
	IconArrowLeft,
	IconBookmark,
	IconBookmarkFilled,
	IconListTree,
	IconMaximize,
	IconMinimize,
	IconMoon,
	IconSearch,
	IconSun,
} from '@tabler/icons-react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { ButtonLink } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { EditionSwitches } from './edition-switches.tsx';
import { editionWords, titleOf } from './edition-words.ts';
import classes from './reader-bar.module.css';
import { ReaderView } from './reader-view.tsx';
import { ReaderZoom } from './reader-zoom.tsx';
import type { PageBookmark } from './use-open-mark.ts';
import type { ReadingSettings } from './use-reading-settings.ts';

interface ReaderBarProps {
	title: string;
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	onEdition: (edition: ShelfEdition) => void;
	settings: ReadingSettings;
	/** Opens the outline where there is no room for it beside the page; undefined without one. */
	onOutline: (() => void) | undefined;
	onSearch: () => void;
	/** Of the page that is open; undefined before one is. */
	bookmark: PageBookmark | undefined;
}

/** Above the page: which book, which edition, search, how it looks. Nothing here downloads or prints. */
export function ReaderBar(props: ReaderBarProps) {
	const { title, edition, editions, onEdition, settings, onOutline, onSearch, bookmark } = props;
	const isNight = settings.tone === 'night';
	return (
		<header className={classes.bar}>
			<ButtonLink
				variant="quiet"
				to="/dashboard"
				aria-label={m.reader_to_dashboard()}
				icon={<IconArrowLeft {...iconProps} />}
			/>
			{onOutline && (
				<IconButton label={m.reader_outline()} icon={<IconListTree {...iconProps} />} onClick={onOutline} />
			)}
			<div className={classes.words}>
				<h1 className={classes.title} lang={edition.language}>
					{titleOf(title, edition)}
				</h1>
				<p className={classes.edition}>{editionWords(edition)}</p>
			</div>
			<div className={classes.switches}>
				<EditionSwitches edition={edition} editions={editions} onEdition={onEdition} />
			</div>
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
				label={m.reader_search()}
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
