import { m } from '#messages';
import { CloseIcon } from '../page/icons.tsx';
import { LanguageSwitch } from '../page/language.tsx';
import type { Excerpt, ExcerptBlock } from './excerpt-source.ts';

/** A URL with this ID as its fragment opens the dialog, with or without JavaScript. */
export function excerptId({ slug }: Excerpt): string {
	return `excerpt-${slug}`;
}

/** Without JavaScript, the CSS selector `:target` opens the dialog; with JavaScript, excerpt-opening.ts does. */
export function ExcerptDialog({ excerpt, all }: { excerpt: Excerpt; all: Excerpt[] }) {
	const id = excerptId(excerpt);
	return (
		<dialog className="excerpt" id={id} aria-labelledby={`${id}-title`}>
			<div className="bar excerpt-head">
				<nav className="excerpt-chapters" aria-label={m.landing_excerpt_chapters()}>
					{all.map((target) => (
						<a
							key={target.slug}
							href={`#${excerptId(target)}`}
							aria-current={target.slug === excerpt.slug ? 'true' : undefined}
							data-excerpt={excerptId(target)}
						>
							{m.landing_chapter_short({ number: target.chapter })} {target.title}
						</a>
					))}
				</nav>
				<LanguageSwitch fragment={id} />
				<button type="button" className="icon-button with-script" data-close aria-label={m.landing_excerpt_close()}>
					<CloseIcon />
				</button>
				<a className="icon-button without-script" href="#read" aria-label={m.landing_excerpt_close()}>
					<CloseIcon />
				</a>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe: scrollable-region-focusable) */}
			<article className="excerpt-page" tabIndex={0} aria-labelledby={`${id}-title`}>
				<p className="eyebrow">{m.landing_chapter({ number: excerpt.chapter })}</p>
				<h2 id={`${id}-title`}>{excerpt.title}</h2>
				<p className="excerpt-subtitle">{excerpt.subtitle}</p>
				<div className="excerpt-text">
					{excerpt.blocks.map((block) => (
						<Block key={block.text.slice(0, 40)} block={block} />
					))}
				</div>
			</article>
			<div className="row row-between excerpt-foot">
				<p className="fine">{m.landing_excerpt_length({ minutes: excerpt.minutes })}</p>
				<a className="button button-primary" href="#book" data-close>
					{m.landing_buy()}
				</a>
			</div>
		</dialog>
	);
}

function Block({ block }: { block: ExcerptBlock }) {
	if (block.kind === 'heading') return <h3>{block.text}</h3>;
	const content = <Inline text={block.text} />;
	return block.kind === 'practice' ? <p className="excerpt-practice">{content}</p> : <p>{content}</p>;
}

/** Renders `*emphasis*` and `**strong**`; all other text is plain. */
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
