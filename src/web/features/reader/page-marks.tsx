import { IconBookmarkFilled } from '@tabler/icons-react';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { iconProps } from '#web/ui/icon.ts';
import { placeOf } from '#web/ui/pdf/page-box.ts';
import classes from './marks.module.css';

/** The marks of one page, below its text; what they say stands in the list of marks. */
export function PageMarks({ marks }: { marks: readonly ReadingMark[] }) {
	return (
		<div aria-hidden="true">
			{marks.map(({ id, kind, boxes, color, note }) =>
				kind === 'bookmark' ? (
					<IconBookmarkFilled key={id} {...iconProps} size={28} className={classes.ribbon} />
				) : (
					boxes.map((box, line) => (
						<span
							// biome-ignore lint/suspicious/noArrayIndexKey: the lines of a highlight keep their order.
							key={`${id}:${line}`}
							className={classes.line}
							data-color={color}
							data-note={note !== '' && line === boxes.length - 1 ? '' : undefined}
							style={placeOf(box)}
						/>
					))
				),
			)}
		</div>
	);
}
