import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { dropHandlers } from '../actions/node-drag.ts';
import { ancestorPathsOf } from '../file-list-query.ts';
import classes from './file-breadcrumb.module.css';

/** One step of the path to the folder shown. */
export interface Crumb {
	key: string;
	name: string;
	to: string;
	search: Record<string, string>;
	/** The path of the folder that nodes can be dropped into. */
	dropPath?: string;
}

interface FileBreadcrumbProps {
	crumbs: readonly Crumb[];
	onMove?: ((nodes: Node[], path: string) => void) | undefined;
	/** Aligns the text of the first step with the content below. */
	isInset?: boolean;
}

/** Shows the path from the top to the folder shown, which is the last step. */
export function FileBreadcrumb({ crumbs, onMove, isInset = false }: FileBreadcrumbProps) {
	return (
		<nav
			aria-label={m.files_breadcrumb()}
			className={classes.trail}
			data-inset={isInset || undefined}
			{...(onMove && dropHandlers(onMove))}
		>
			<ol>
				{crumbs.map(({ key, name, to, search, dropPath }, index) => (
					<li key={key} className={classes.step}>
						{index > 0 && <IconChevronRight {...smallIconProps} />}
						{index === crumbs.length - 1 ? (
							<span aria-current="page" title={name}>
								<bdi>{name}</bdi>
							</span>
						) : (
							<Link
								to={to}
								search={search}
								title={name}
								draggable={false}
								data-drop-path={onMove === undefined ? undefined : dropPath}
							>
								<bdi>{name}</bdi>
							</Link>
						)}
					</li>
				))}
			</ol>
		</nav>
	);
}

/** Returns the steps from the top down to `path`. `folders`: the folders' names; undefined while they are loading. */
export function folderCrumbs(
	path: string,
	folders: ReadonlyArray<{ name: string }> | undefined,
	to: string,
	searchParamsOf: (path: string) => Record<string, string>,
): Crumb[] {
	return ancestorPathsOf(path).map((key, index) => ({
		key,
		name: folders?.[index]?.name ?? '…',
		to,
		search: searchParamsOf(key),
		dropPath: key,
	}));
}

interface FolderHeaderProps extends Omit<ComponentProps<typeof PageHeader>, 'title' | 'breadcrumb' | 'back'> {
	/** By default the name of the last step. */
	title?: string;
	crumbs: readonly Crumb[];
	onMove?: FileBreadcrumbProps['onMove'];
	backLabel: string;
}

/** The header of a folder: its breadcrumb; on a phone its name, with a link to the parent folder. */
export function FolderHeader({ crumbs, title = crumbs.at(-1)?.name, onMove, backLabel, ...rest }: FolderHeaderProps) {
	const parent = crumbs.at(-2);
	const isPhone = useIsPhone();
	return (
		<PageHeader
			title={title}
			breadcrumb={isPhone ? undefined : <FileBreadcrumb crumbs={crumbs} onMove={onMove} />}
			back={isPhone && parent && <BackLink to={parent.to} search={parent.search} label={backLabel} />}
			{...rest}
		/>
	);
}

/** On a phone, a link to the parent folder; wide screens have the breadcrumb instead. */
export function BackLink({ label, ...link }: { label: string; to: string; search?: Crumb['search'] }) {
	return <ButtonLink variant="quiet" {...link} aria-label={label} icon={IconChevronLeft} />;
}

/** Returns the name of a space: fixed names for the reserved spaces, the email address for a user's space. */
export function spaceName(owner: string, email: string | undefined): string {
	const key = owner.toLowerCase();
	if (key === 'guest') return m.files_space_guest();
	if (key === 'book') return m.files_space_book();
	return email ?? owner;
}

/** Whether a space belongs to no user; such a space is not shared. */
export function isReservedSpace(owner: string): boolean {
	return ['guest', 'book'].includes(owner.toLowerCase());
}
