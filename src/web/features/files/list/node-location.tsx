import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import classes from './node-location.module.css';

/**
 * The search parameters of a node's links. The object keeps its identity while nothing changes, so that rows do not
 * render again.
 */
export interface NodeLinks {
	toFolder: (folder: Node) => Record<string, string>;
	/** Leads to the folder of a search result; null where there is none. */
	toParent: (node: Node) => Record<string, string> | null;
}

/** The folder path of a search result, as a link. */
export function NodeLocation({ node, links }: { node: Node; links: NodeLinks }) {
	const { folders } = node;
	if (folders === null) return null;
	const path = folders.length === 0 ? m.files_at_root() : folders.join(' / ');
	const search = links.toParent(node);
	if (search === null) {
		return (
			<span className={classes.location} title={path} dir="auto">
				{path}
			</span>
		);
	}
	return (
		<Link
			to="."
			search={search}
			className={classes.location}
			tabIndex={-1}
			draggable={false}
			title={path}
			aria-label={m.files_go_to_location({ place: path })}
			dir="auto"
		>
			{path}
		</Link>
	);
}
