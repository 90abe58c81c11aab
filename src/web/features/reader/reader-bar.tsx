import { useFullscreenDocument } from '@mantine/hooks';
import {
	IconArrowLeft,
	IconListTree,
	IconMaximize,
	IconMinimize,
	IconMinus,
	IconMoon,
	IconPlus,
	IconSun,
} from '@tabler/icons-react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { m } from '#messages';
import { ButtonLink } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { stepZoom } from '#web/ui/pdf/page-size.ts';
import { EditionSwitches } from './edition-switches.tsx';
import { editionWords, titleOf } from './edition-words.ts';
import classes from './reader-bar.module.css';

interface ReaderBarProps {
	title: string;
	edition: ShelfEdition;
	editions: readonly ShelfEdition[];
	onEdition: (edition: ShelfEdition) => void;
	zoom: number;
	onZoom: (zoom: number) => void;
	tone: 'day' | 'night';
	onTone: (tone: 'day' | 'night') => void;
	/** Opens the outline where there is no room for it beside the page; undefined without one. */
	onOutline: (() => void) | undefined;
}

/** Above the page: which book, which edition, how large, day or night. Nothing here downloads or prints. */
export function ReaderBar(props: ReaderBarProps) {
	const { title, edition, editions, onEdition, tone, onTone, onOutline } = props;
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
			<Zoom {...props} />
			<IconButton
				variant="default"
				label={tone === 'day' ? m.reader_night() : m.reader_day()}
				icon={tone === 'day' ? <IconMoon {...iconProps} /> : <IconSun {...iconProps} />}
				onClick={() => onTone(tone === 'day' ? 'night' : 'day')}
			/>
			<FullScreen />
		</header>
	);
}

function Zoom({ zoom, onZoom }: Pick<ReaderBarProps, 'zoom' | 'onZoom'>) {
	const percent = Math.round(zoom * 100);
	return (
		// biome-ignore lint/a11y/useSemanticElements: three buttons, no form.
		<div className={classes.zoom} role="group" aria-label={m.reader_zoom()}>
			<IconButton
				label={m.reader_zoom_out()}
				icon={<IconMinus {...iconProps} />}
				onClick={() => onZoom(stepZoom(zoom, -1))}
			/>
			<button
				type="button"
				className={`${classes.percent} ${classes.wide}`}
				aria-label={m.reader_zoom_reset({ percent })}
				onClick={() => onZoom(1)}
			>
				{m.reader_percent({ percent })}
			</button>
			<IconButton
				label={m.reader_zoom_in()}
				icon={<IconPlus {...iconProps} />}
				onClick={() => onZoom(stepZoom(zoom, 1))}
			/>
		</div>
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
