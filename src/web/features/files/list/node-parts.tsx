import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import type { NodeActions } from '../actions/node-menu.tsx';
import classes from './node.module.css';

/** The search parameters of a node's links. The object must be stable, so that rows do not render again. */
export interface NodeLinks {
	toFolder: (folder: Node) => Record<string, string>;
	/** For the link from a search result to its parent folder; null for no link. */
	toParent: (node: Node) => Record<string, string> | null;
}

export interface NodeItemProps {
	/** Undefined while the page of the node is loading. */
	node: Node | undefined;
	/** Index among all nodes, folders first. */
	index: number;
	isCursor: boolean;
	isSelected: boolean;
	actions: NodeActions;
	links: NodeLinks;
}

/** The attributes with which `useListingKeyboard` finds and focuses a node. */
export function cursorProps({ index, isCursor }: Pick<NodeItemProps, 'index' | 'isCursor'>) {
	return { 'data-row': index, tabIndex: isCursor ? 0 : -1 };
}

interface NodeNameProps extends Pick<NodeItemProps, 'actions' | 'links'> {
	node: Node;
	tabIndex?: number | undefined;
	'data-row'?: number;
}

export function NodeName({ node, actions, links, ...rest }: NodeNameProps) {
	const shared = { className: classes.name, title: node.name, children: <bdi>{node.name}</bdi>, ...rest };
	return node.kind === 'folder' ? (
		<Link to="." search={links.toFolder(node)} draggable={false} {...shared} />
	) : (
		<button type="button" onClick={() => actions.open(node)} {...shared} />
	);
}

export function NodeLocation({ node, folders, links }: { node: Node; folders: readonly string[]; links: NodeLinks }) {
	const path = locationText(folders);
	const search = links.toParent(node);
	const shared = { className: classes.location, title: path, dir: 'auto', children: path };
	if (search === null) return <span {...shared} />;
	return (
		<Link
			to="."
			search={search}
			tabIndex={-1}
			draggable={false}
			aria-label={m.files_go_to_location({ place: path })}
			{...shared}
		/>
	);
}

export function locationText(folders: readonly string[]): string {
	return folders.length === 0 ? m.files_at_root() : folders.join(' / ');
}

export function itemCountText(count: number): string {
	return count === 1 ? m.files_items_one() : m.files_items({ count: formatCount(count) });
}

interface NodeCheckboxProps {
	name: string;
	isSelected: boolean;
	/** `isRange`: whether Shift was pressed to select a range. */
	onSelect: (isRange: boolean) => void;
	tabIndex?: number | undefined;
}

export function NodeCheckbox({ name, isSelected, onSelect, tabIndex }: NodeCheckboxProps) {
	return (
		<input
			type="checkbox"
			className={classes.checkbox}
			tabIndex={tabIndex}
			checked={isSelected}
			aria-label={m.files_select_of({ name })}
			onChange={({ nativeEvent }) => onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
		/>
	);
}

interface SelectAllCheckboxProps {
	selected: number;
	total: number;
	onSelectAll: (isAll: boolean) => void;
	isDisabled?: boolean;
}

export function SelectAllCheckbox({ selected, total, onSelectAll, isDisabled = false }: SelectAllCheckboxProps) {
	const isAll = selected > 0 && selected >= total;
	return (
		<input
			type="checkbox"
			className={classes.checkbox}
			aria-label={m.files_select_all()}
			checked={isAll}
			disabled={isDisabled}
			ref={(box) => {
				if (box) box.indeterminate = selected > 0 && !isAll;
			}}
			onChange={() => onSelectAll(!isAll)}
		/>
	);
}
