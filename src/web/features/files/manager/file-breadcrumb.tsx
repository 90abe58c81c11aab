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

export interface Crumb {
	key: string;
	name: string;
	to?: string;
	search?: Record<string, string>;
	/** Opens a folder that has no URL. */
	onOpen?: () => void;
	/** Path of the folder, if nodes can be dropped on the step. */
	dropPath?: string;
}

interface FileBreadcrumbProps {
	label?: string;
	crumbs: readonly Crumb[];
	onMove?: ((nodes: Node[], path: string) => void) | undefined;
}

export function FileBreadcrumb({ label = m.files_breadcrumb(), crumbs, onMove }: FileBreadcrumbProps) {
	return (
		<nav aria-label={label} className={classes.trail} {...(onMove && dropHandlers(onMove))}>
			<ol>
				{crumbs.map(({ key, name, to = '.', search = {}, onOpen, dropPath }, index) => (
					<li key={key} className={classes.step}>
						{index > 0 && <IconChevronRight {...smallIconProps} />}
						{index === crumbs.length - 1 ? (
							<span aria-current="page" title={name}>
								<bdi>{name}</bdi>
							</span>
						) : onOpen !== undefined ? (
							<button type="button" title={name} onClick={onOpen}>
								<bdi>{name}</bdi>
							</button>
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

/** Returns the steps below the root of the space down to `path`. `folders` is undefined while the names are loading. */
export function folderCrumbs(
	path: string,
	folders: ReadonlyArray<{ name: string }> | undefined,
	targetOf: (path: string) => Pick<Crumb, 'to' | 'search' | 'onOpen'>,
): Crumb[] {
	return ancestorPathsOf(path).map((key, index) => ({
		key,
		name: folders?.[index]?.name ?? '…',
		dropPath: key,
		...targetOf(key),
	}));
}

interface FolderHeaderProps extends Omit<ComponentProps<typeof PageHeader>, 'title' | 'breadcrumb' | 'back'> {
	title?: string;
	crumbs: readonly Crumb[];
	onMove?: FileBreadcrumbProps['onMove'];
	backLabel: string;
}

/** Shows the breadcrumb. On a phone, shows the name and a link to the parent folder instead. */
export function FolderHeader({ crumbs, title = crumbs.at(-1)?.name, onMove, backLabel, ...rest }: FolderHeaderProps) {
	const parent = crumbs.at(-2);
	const isPhone = useIsPhone();
	return (
		<PageHeader
			title={title}
			breadcrumb={isPhone ? undefined : <FileBreadcrumb crumbs={crumbs} onMove={onMove} />}
			back={isPhone && parent && <BackLink {...parent} label={backLabel} />}
			{...rest}
		/>
	);
}

export function BackLink({ label, to, search }: Pick<Crumb, 'to' | 'search'> & { label: string }) {
	return <ButtonLink variant="quiet" to={to} search={search} aria-label={label} icon={IconChevronLeft} />;
}

/** Returns a fixed name for a reserved space, or the email address of the user. */
export function spaceName(owner: string, email?: string): string {
	const key = owner.toLowerCase();
	if (key === 'guest') return m.files_space_guest();
	if (key === 'book') return m.files_space_book();
	return email ?? owner;
}

/** Whether a space belongs to no user. Reserved spaces cannot be shared. */
export function isReservedSpace(owner: string): boolean {
	return ['guest', 'book'].includes(owner.toLowerCase());
}
