import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import classes from './node-place.module.css';

/** The search parameters that lead to a folder of the same space. */
export type PlaceLink = (path: string) => Record<string, string>;

/** Where a search found something: the way to it from the top, as a link. */
export function NodePlace({ node, linkTo }: { node: Node; linkTo: PlaceLink }) {
	const { folders, path } = node;
	if (folders === null) return null;
	const way = folders.length === 0 ? m.files_at_top() : folders.join(' / ');
	return (
		<Link
			to="."
			search={linkTo(path)}
			className={classes.place}
			tabIndex={-1}
			draggable={false}
			title={way}
			aria-label={m.files_go_to_place({ place: way })}
			dir="auto"
		>
			{way}
		</Link>
	);
}
