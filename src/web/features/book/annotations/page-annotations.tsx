import { IconBookmarkFilled } from '@tabler/icons-react';
import type { Annotation } from '#contract/book/reading.ts';
import { boxStyle } from '#web/ui/pdf/viewer/page-box.ts';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from './annotations.module.css';

const ribbonStyle = { position: 'absolute', top: -4, right: '4%', color: 'var(--accent-fill)' } as const;

/** Hidden from screen readers, which use the list of annotations. */
export function PageAnnotations({ annotations, page }: { annotations: readonly Annotation[]; page: number }) {
	const pageAnnotations = annotations.filter((annotation) => annotation.page === page);
	if (pageAnnotations.length === 0) return null;
	return (
		<div aria-hidden="true">
			{pageAnnotations.map(({ id, kind, boxes, color, note }) =>
				kind === 'bookmark' ? (
					<IconBookmarkFilled key={id} {...iconProps} size={28} style={ribbonStyle} />
				) : (
					boxes.map((box, line) => (
						<span
							// biome-ignore lint/suspicious/noArrayIndexKey: the lines of a highlight keep their order.
							key={`${id}:${line}`}
							className={classes.line}
							data-color={color}
							data-note={note !== '' && line === boxes.length - 1 ? '' : undefined}
							style={boxStyle(box)}
						/>
					))
				),
			)}
		</div>
	);
}
