import { Box } from '@mantine/core';
import { IconDownload, IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import {
	findLastRead,
	findReadingPosition,
	type LocalReadingPosition,
} from '#web/platform/browser/reading-position.ts';
import { excerptWording } from '#web/platform/browser/site.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { useMe } from '#web/platform/session/session.ts';
import { percentRead } from '#web/ui/pdf/viewer/page-size.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { ButtonAnchor, ButtonLink } from '#web/ui/primitives/button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useOfflineSync } from '../offline/offline-copies.ts';
import { OfflineCopyButton } from '../offline/offline-copy-button.tsx';
import { EditionCover } from './edition-cover.tsx';
import { editionLabel, editionTitle, languageLabel, partLabel } from './edition-labels.ts';
import classes from './shelf.module.css';
import { useShelf } from './shelf-api.ts';

/** Shows the readable editions, or that the order is being verified, or an offer to buy the book. */
export function BookCard() {
	const shelf = useShelf();
	useOfflineSync(shelf);
	const language = useLocale();
	const { data } = shelf;
	if (data === undefined) {
		if (shelf.error === null) return <Skeleton height="220px" />;
		return <FailedQuery text={m.reader_shelf_failed()} query={shelf} />;
	}
	const title = editionTitle(data.title, { language });
	const { excerpts } = excerptWording();
	if (data.access === 'open' && data.editions.length > 0) return <OpenShelf {...data} />;
	return (
		<section className={classes.note} aria-label={title}>
			{data.access === 'pending' && (
				<Badge tone="accent" icon={IconHourglass}>
					{m.reader_pending_badge()}
				</Badge>
			)}
			<h2 className={classes.title}>{title}</h2>
			{data.access === 'pending' && <p>{m.reader_pending_title()}</p>}
			<p className={textClasses.figure}>{unreadableTexts[data.access]()}</p>
			{data.access === 'pending' && excerpts !== 'none' && (
				<ButtonAnchor href="/">{m.reader_excerpts({ excerpts })}</ButtonAnchor>
			)}
			{data.access === 'none' && <ButtonAnchor href="/">{m.reader_offer_action()}</ButtonAnchor>}
		</section>
	);
}

const unreadableTexts = { open: m.reader_no_editions, pending: m.reader_pending_text, none: m.reader_offer_text };

function OpenShelf({ title, offered, editions }: CallOutputs['reader']['shelf']) {
	const me = useMe();
	const [chosen, choose] = useState(() => findLastRead(me.id, editions));
	const locale = useLocale();
	const edition =
		editions.find(({ key }) => key === chosen) ?? editions.find(({ language }) => language === locale) ?? editions[0];
	if (edition === undefined) return null;
	const shown = editionTitle(title, { language: locale });
	const position = findReadingPosition(me.id, edition);
	const label = editionLabel(offered, edition);
	const [hasParts, hasLanguages] = [offered.parts.length > 1, offered.languages.length > 1];
	return (
		<section className={classes.card} aria-label={shown}>
			<div style={{ gridArea: 'cover' }}>
				<EditionCover offered={offered} title={title} edition={edition} />
			</div>
			<div className={classes.text}>
				<h2 className={classes.title}>{shown}</h2>
				{label !== '' && <p className={textClasses.figure}>{label}</p>}
				{position && <ReadingProgress place={position} />}
			</div>
			<div className={classes.action}>
				<ButtonLink variant="primary" isFullWidth to="/read/$edition" params={{ edition: edition.key }}>
					{position ? m.reader_continue() : m.reader_read()}
				</ButtonLink>
				{edition.mayDownload && edition.copy.state === 'ready' && (
					<ButtonAnchor href={downloadUrl(edition)} download isFullWidth icon={IconDownload}>
						{m.reader_download()}
					</ButtonAnchor>
				)}
				<OfflineCopyButton key={edition.key} edition={edition} />
			</div>
			{editions.length > 1 && (
				// biome-ignore lint/a11y/useSemanticElements: toggle buttons, not form fields.
				<div className={classes.chips} role="group" aria-label={m.reader_editions()}>
					{editions.map(({ key, part, language }) => (
						<button
							key={key}
							type="button"
							className={classes.chip}
							aria-pressed={key === edition.key}
							onClick={() => choose(key)}
						>
							{hasParts && partLabel(offered, part)}
							{hasLanguages && hasParts && <small lang={language}>{languageLabel(offered, language)}</small>}
							{hasLanguages && !hasParts && <span lang={language}>{languageLabel(offered, language)}</span>}
						</button>
					))}
				</div>
			)}
		</section>
	);
}

function ReadingProgress({ place }: { place: LocalReadingPosition }) {
	const { page, pageCount, chapter } = place;
	const label = m.reader_page_of({ page, count: pageCount });
	return (
		<>
			<p className={textClasses.figure}>
				{chapter === null ? label : m.reader_chapter_and_page({ chapter, page, count: pageCount })}
			</p>
			<Box mt={8}>
				<ProgressBar label={label} value={percentRead(page, pageCount) / 100} />
			</Box>
		</>
	);
}

function downloadUrl({ url }: ShelfEdition): string {
	return `${url}${url.includes('?') ? '&' : '?'}download=1`;
}
