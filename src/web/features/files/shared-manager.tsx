import { IconChevronLeft, IconFileZip } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { archiveUrl } from '#contract/files/archive.ts';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { ButtonAnchor, ButtonLink } from '#web/ui/button.tsx';
import { DeniedState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import classes from './file-manager.module.css';
import { type FilePlace, isNarrowed, placeAt, searchOfPlace } from './file-place.ts';
import { FileToolbar } from './file-toolbar.tsx';
import { FolderListing } from './folder-listing.tsx';
import { useSharedFolder, useSharedTop } from './shared.api.ts';

const home = '/dashboard/book';

interface SharedManagerProps {
	/** Of a place here the path is the id of the folder shown, '' at the top: shares come from many spaces. */
	place: FilePlace;
	onChange: (change: Partial<FilePlace>) => void;
	/** Stands above what is shared. */
	children: ReactNode;
}

/** The search parameters of a place among what is shared. */
export function searchOfShared({ path, ...look }: FilePlace): Record<string, string> {
	const search = searchOfPlace({ ...look, path: '' });
	return path === '' ? search : { folder: path, ...search };
}

/** What is shared with the person: at the top every share, and each shared folder from inside. */
export function SharedManager({ place, onChange, children }: SharedManagerProps) {
	const isTop = place.path === '';
	return isTop ? (
		<SharedTop place={place} onChange={onChange}>
			{children}
		</SharedTop>
	) : (
		<SharedFolder key={place.path} place={place} onChange={onChange} />
	);
}

function useSharedLinks(place: FilePlace) {
	return useMemo(
		() => ({
			into: (folder: Node) => searchOfShared(placeAt(place, folder.id)),
			// By its names alone nobody finds a folder in somebody else's space.
			placeOf: () => null,
		}),
		[place],
	);
}

function SharedTop({ place, onChange, children }: SharedManagerProps) {
	const listing = useSharedTop(place);
	const isEmpty = listing.isEmpty && !isNarrowed(place);
	return (
		<>
			<PageHeader title={m.screen_shared_folders()} back={<PhoneWay to="/dashboard" label={m.screen_dashboard()} />} />
			<div className={classes.body}>
				{children}
				{!isEmpty && <FileToolbar place={place} onChange={onChange} />}
				<FolderListing
					owner="shared"
					folder={listing}
					place={place}
					links={useSharedLinks(place)}
					onChange={onChange}
					words={{ failed: m.shared_failed(), empty: m.shared_none() }}
				/>
			</div>
		</>
	);
}

function SharedFolder({ place, onChange }: Omit<SharedManagerProps, 'children'>) {
	const listing = useSharedFolder(place.path, place);
	const links = useSharedLinks(place);
	const isGone = listing.failure?.status === 404;
	const crumbs = crumbsOf(place, isGone ? undefined : listing.first?.breadcrumb);
	const isPhone = useIsPhone();
	const above = crumbs.at(-2);
	const title = isGone ? m.screen_shared_folders() : (crumbs.at(-1)?.name ?? '…');
	return (
		<>
			<PageHeader
				title={title}
				{...(isPhone ? {} : { breadcrumb: <FileBreadcrumb crumbs={crumbs} /> })}
				back={above && <PhoneWay to={above.to} search={above.search} label={m.files_go_up()} />}
				actions={!isGone && listing.first !== undefined && <FolderDownload id={place.path} isPhone={isPhone} />}
			/>
			<div className={classes.body}>
				{isGone ? (
					<DeniedState
						title={m.shared_gone_title()}
						text={m.shared_gone_text()}
						action={
							<ButtonLink variant="primary" to={home}>
								{m.shared_back()}
							</ButtonLink>
						}
					/>
				) : (
					<>
						<FileToolbar place={place} onChange={onChange} />
						<FolderListing
							owner="shared"
							folder={listing}
							place={place}
							links={links}
							onChange={onChange}
							words={{ failed: m.shared_content_failed(), empty: m.files_empty() }}
						/>
					</>
				)}
			</div>
		</>
	);
}

function FolderDownload({ id, isPhone }: { id: string; isPhone: boolean }) {
	return (
		<ButtonAnchor
			variant={isPhone ? 'quiet' : 'default'}
			icon={<IconFileZip {...iconProps} />}
			href={archiveUrl([id])}
			download
			aria-label={m.archive_download()}
		>
			{!isPhone && m.archive_download()}
		</ButtonAnchor>
	);
}

/** A way up; a wide screen has the breadcrumb and the navigation for it. */
function PhoneWay({ to, search = {}, label }: { to: string; search?: Record<string, string>; label: string }) {
	if (!useIsPhone()) return null;
	return (
		<ButtonLink variant="quiet" to={to} search={search} aria-label={label} icon={<IconChevronLeft {...iconProps} />} />
	);
}

function crumbsOf(place: FilePlace, folders: readonly { id: string; name: string }[] | undefined): Crumb[] {
	const top: Crumb = { key: '', name: m.screen_shared_folders(), to: home, search: searchOfShared(placeAt(place, '')) };
	const way = folders ?? [{ id: place.path, name: '…' }];
	return [top, ...way.map(({ id, name }) => ({ key: id, name, to: home, search: searchOfShared(placeAt(place, id)) }))];
}
