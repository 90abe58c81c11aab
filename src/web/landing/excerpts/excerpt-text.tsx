import type { ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { isOwnPath, isSafeAddress } from '#contract/core/text.ts';
import type { PageExcerpt, PagePicture } from '#contract/storefront/page-content.ts';
import { Picture } from '../page/picture.tsx';

type Pictures = PageExcerpt['pictures'];

/**
 * Renders CommonMark on the server. HTML is shown as text. Pictures that are not uploaded, and links that could run
 * code, are replaced by their text, so that nothing is loaded from another server.
 */
export function ExcerptText({ excerpt: { markdown, pictures } }: { excerpt: PageExcerpt }) {
	return (
		<Markdown components={componentsFor(pictures)} urlTransform={(url) => url}>
			{markdown}
		</Markdown>
	);
}

/** The headings of the text are below the excerpt's own title. */
function componentsFor(pictures: Pictures): Components {
	return {
		h1: ({ children }) => <h3>{children}</h3>,
		h2: ({ children }) => <h3>{children}</h3>,
		h3: ({ children }) => <h4>{children}</h4>,
		h4: ({ children }) => <h5>{children}</h5>,
		h5: ({ children }) => <h5>{children}</h5>,
		h6: ({ children }) => <h5>{children}</h5>,
		blockquote: ({ children }) => <blockquote className="excerpt-practice">{children}</blockquote>,
		a: ({ href = '', children }) => <SafeLink href={href}>{children}</SafeLink>,
		img: ({ src, alt = '' }) => {
			const picture = findPicture(pictures, src);
			return picture === undefined ? (
				alt
			) : (
				<Picture picture={picture} sizes="(min-width: 43.75em) 568px, 90vw" alt={alt} isLazy />
			);
		},
	};
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
	if (!isSafeAddress(href) && !isOwnPath(href)) return children;
	return (
		<a href={href} rel="noopener">
			{children}
		</a>
	);
}

function findPicture(pictures: Pictures, src: unknown): PagePicture | undefined {
	const [, id = ''] = /^\/storefront\/images\/([\w-]+)\/\d+\.[a-z]+$/u.exec(String(src)) ?? [];
	return Object.hasOwn(pictures, id) ? pictures[id] : undefined;
}
