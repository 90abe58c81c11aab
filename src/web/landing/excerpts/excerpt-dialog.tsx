import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { CloseIcon } from '../page/icons.tsx';
import { LanguageSwitch } from '../page/language.tsx';
import type { Excerpt, ExcerptBlock } from './excerpt-source.ts';

interface ExcerptDialogProps {
	excerpt: Excerpt;
	/** All chapters that may be read, for the row of chapters in the head. */
	all: Excerpt[];
	locale: Locale;
}

/** The id of a chapter's dialog; the address with it as fragment opens the dialog, with or without script. */
export function excerptId({ slug }: Excerpt): string {
	return `excerpt-${slug}`;
}

/**
 * A chapter in a reading dialog. Without script it shows as the address's target and its links close it; with script
 * `excerpt-reading.ts` opens it as a modal dialog.
 */
export function ExcerptDialog({ excerpt, all, locale }: ExcerptDialogProps) {
	const id = excerptId(excerpt);
	return (
		<dialog className="excerpt" id={id} aria-labelledby={`${id}-title`}>
			<div className="bar excerpt-head">
				<nav className="excerpt-chapters" aria-label={m.landing_excerpt_chapters({}, { locale })}>
					{all.map((other) => (
						<a
							key={other.slug}
							href={`#${excerptId(other)}`}
							aria-current={other.slug === excerpt.slug ? 'true' : undefined}
							data-excerpt={excerptId(other)}
						>
							{m.landing_chapter_short({ number: other.chapter }, { locale })} {other.title}
						</a>
					))}
				</nav>
				<LanguageSwitch locale={locale} fragment={id} />
				<button type="button" className="icon-button with-script" data-close aria-label={closeText(locale)}>
					<CloseIcon />
				</button>
				<a className="icon-button without-script" href="#read" aria-label={closeText(locale)}>
					<CloseIcon />
				</a>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe: scrollable-region-focusable) */}
			<article className="excerpt-page" tabIndex={0} aria-labelledby={`${id}-title`}>
				<p className="eyebrow">{m.landing_chapter({ number: excerpt.chapter }, { locale })}</p>
				<h2 id={`${id}-title`}>{excerpt.title}</h2>
				<p className="excerpt-subtitle">{excerpt.subtitle}</p>
				<div className="excerpt-text">
					{excerpt.blocks.map((block) => (
						<Block key={block.text.slice(0, 40)} block={block} />
					))}
				</div>
			</article>
			<div className="row row-between excerpt-foot">
				<p className="fine">
					{excerpt.minutes === 1
						? m.landing_excerpt_length_one({}, { locale })
						: m.landing_excerpt_length({ minutes: excerpt.minutes }, { locale })}
				</p>
				<a className="button button-primary" href="#book" data-close>
					{m.landing_buy({}, { locale })}
				</a>
			</div>
		</dialog>
	);
}

const closeText = (locale: Locale) => m.landing_excerpt_close({}, { locale });

function Block({ block }: { block: ExcerptBlock }) {
	if (block.kind === 'heading') return <h3>{block.text}</h3>;
	const content = <Inline text={block.text} />;
	return block.kind === 'practice' ? <p className="excerpt-practice">{content}</p> : <p>{content}</p>;
}

/** `*emphasis*` and `**strong**`; everything else is text. */
function Inline({ text }: { text: string }) {
	let offset = 0;
	return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/u).map((part) => {
		const key = offset;
		offset += part.length;
		if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>;
		if (part.startsWith('*')) return <em key={key}>{part.slice(1, -1)}</em>;
		return part;
	});
}
