import type { PageContent, PageExcerpt } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { CloseIcon } from '../page/icons.tsx';
import { LanguageSwitch } from '../page/language.tsx';
import { ExcerptText } from './excerpt-text.tsx';

/** A URL with this ID as its fragment opens the dialog, with or without JavaScript. */
export function excerptId({ id }: Pick<PageExcerpt, 'id'>): string {
	return `excerpt-${id}`;
}

interface ExcerptDialogProps {
	excerpt: PageExcerpt;
	all: readonly PageExcerpt[];
	content: PageContent;
}

/** Without JavaScript, the CSS selector `:target` opens the dialog; with JavaScript, excerpt-opening.ts does. */
export function ExcerptDialog({ excerpt, all, content }: ExcerptDialogProps) {
	const id = excerptId(excerpt);
	return (
		<dialog className="excerpt" id={id} aria-labelledby={`${id}-title`}>
			<div className="bar excerpt-head">
				<nav className="excerpt-chapters" aria-label={m.landing_excerpt_chapters()}>
					{all.map((target) => (
						<a
							key={target.id}
							href={`#${excerptId(target)}`}
							aria-current={target.id === excerpt.id ? 'true' : undefined}
							data-excerpt={excerptId(target)}
						>
							<span>
								{target.shortLabel} {target.title}
							</span>
						</a>
					))}
				</nav>
				<LanguageSwitch languages={content.languages} fragment={id} />
				<button type="button" className="icon-button with-script" data-close aria-label={m.landing_excerpt_close()}>
					<CloseIcon />
				</button>
				<a className="icon-button without-script" href="#read" aria-label={m.landing_excerpt_close()}>
					<CloseIcon />
				</a>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (axe: scrollable-region-focusable) */}
			<article className="excerpt-page" tabIndex={0} aria-labelledby={`${id}-title`}>
				{excerpt.label !== '' && <p className="eyebrow">{excerpt.label}</p>}
				<h2 id={`${id}-title`}>{excerpt.title}</h2>
				{excerpt.lead !== '' && <p className="excerpt-subtitle">{excerpt.lead}</p>}
				<div className="excerpt-text">
					<ExcerptText excerpt={excerpt} />
				</div>
			</article>
			<div className="row row-between excerpt-foot">
				<p className="fine">{`${excerpt.note} ${m.landing_excerpt_length({ minutes: excerpt.minutes })}`.trim()}</p>
				<a className="button button-primary" href="#book" data-close>
					{content.hero.callToAction}
				</a>
			</div>
		</dialog>
	);
}
