import type { PageContent, PageCover, PagePicture } from '#contract/storefront/page-content.ts';
import { BookCover } from '#web/ui/illustrations/book-cover.tsx';
import { PlainCover } from '#web/ui/illustrations/plain-cover.tsx';
import { Picture } from '../page/picture.tsx';

/** Widths of the covers in the layout: hero.css. */
const pictureSizes = '(min-width: 62em) 340px, (min-width: 40em) 366px, 56vw';

/** The front cover, and half hidden behind it the second one. */
export function Books({ content: { covers, coversAlt, hasDefaultDrawings } }: { content: PageContent }) {
	const [front, rear] = covers;
	if (front === undefined) return null;
	const style = `books ${hasDefaultDrawings ? '' : 'books-plain '}${rear === undefined ? 'books-single' : ''}`.trim();
	return (
		<div className={style} role="img" aria-label={coversAlt}>
			<div className="books-stage" aria-hidden="true">
				{rear !== undefined && (
					<>
						<div className="book-shadow book-shadow-rear" />
						<div className="book book-rear">
							<div className="book-back" />
							<div className="book-pages" />
							<div className="book-front">
								<Cover cover={rear} isRear />
							</div>
						</div>
					</>
				)}
				<div className="book-shadow book-shadow-front" />
				<div className="book book-one">
					<div className="book-back" />
					<div className="book-spine" lang={front.language}>
						{front.picture !== null && <CoverPicture picture={front.picture} />}
						<span>{front.title}</span>
						{front.part !== null && <span>{front.part.number}</span>}
					</div>
					<div className="book-front">
						<Cover cover={front} />
					</div>
				</div>
			</div>
		</div>
	);
}

function Cover({ cover, isRear = false }: { cover: PageCover; isRear?: boolean }) {
	const { picture, part, languageName, drawing, ...texts } = cover;
	if (picture !== null) return <CoverPicture picture={picture} isRear={isRear} />;
	const labels = { partLabel: part?.name ?? '', languageLabel: languageName ?? '' };
	return drawing.style === 'pyramid' ? (
		<BookCover isNight={isRear} {...labels} {...texts} />
	) : (
		<PlainCover isInverted={isRear} {...labels} {...texts} />
	);
}

function CoverPicture({ picture, isRear = false }: { picture: PagePicture; isRear?: boolean }) {
	return (
		<Picture
			picture={picture}
			sizes={pictureSizes}
			alt=""
			className="book-picture"
			fetchPriority={isRear ? 'low' : 'high'}
		/>
	);
}
