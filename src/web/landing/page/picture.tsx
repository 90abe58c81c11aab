import type { PagePicture } from '#contract/storefront/page-content.ts';

interface PictureProps {
	picture: PagePicture;
	/** Value of the attribute `sizes`: the width in the layout. */
	sizes: string;
	alt: string;
	className?: string;
	fetchPriority?: 'high' | 'low';
	/** Loads the picture only near the viewport. */
	isLazy?: boolean;
}

/** An uploaded picture. The browser chooses type and width; the size in pixels prevents layout shifts. */
export function Picture({ picture, sizes, alt, className, fetchPriority, isLazy = false }: PictureProps) {
	const { src, width, height, avif, webp } = picture;
	return (
		<picture>
			{avif !== '' && <source type="image/avif" srcSet={avif} sizes={sizes} />}
			{webp !== '' && <source type="image/webp" srcSet={webp} sizes={sizes} />}
			<img
				className={className}
				src={src}
				width={width}
				height={height}
				alt={alt}
				loading={isLazy ? 'lazy' : undefined}
				decoding="async"
				fetchPriority={fetchPriority}
			/>
		</picture>
	);
}
