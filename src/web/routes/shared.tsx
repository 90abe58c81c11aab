import { IconArrowLeft, IconShare2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { type Crumb, FileBreadcrumb } from '#web/features/files/file-breadcrumb.tsx';
import { NodeRows } from '#web/features/files/node-rows.tsx';
import { PeoplePicker } from '#web/features/people/people-picker.tsx';
import { ShareCell } from '#web/features/sharing/share-cell.tsx';
import { type ShareQuestion, ShareQuestionDialog } from '#web/features/sharing/share-question.tsx';
import { sharedSearch } from '#web/features/sharing/sharing.api.ts';
import { type Seen, useSeen } from '#web/features/sharing/use-seen.ts';
import { useShareWork } from '#web/features/sharing/use-share-work.ts';
import { useUrlState } from '#web/platform/url-state.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, FailedState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';
import classes from './shared.module.css';

/** /shared?email=: what that person sees, to share more and to take back; without an address, a person to choose. */
export function SharedScreen() {
	const [{ email }] = useUrlState(sharedSearch);
	return (
		<>
			<PageHeader
				title={m.screen_shared()}
				actions={
					email !== '' && (
						<ButtonLink variant="primary" to="/share-folders" search={{ email }} icon={<IconShare2 {...iconProps} />}>
							{m.sharing_share()}
						</ButtonLink>
					)
				}
			/>
			<div className={classes.page}>
				{email === '' ? (
					<div className={classes.choose}>
						<h2 className={classes.title}>{m.sharing_choose_person_seen()}</h2>
						<PeoplePicker label={m.sharing_people()} chosen="" searchFor={(person) => ({ email: person })} />
					</div>
				) : (
					<SeenBy key={email} email={email} />
				)}
			</div>
		</>
	);
}

function SeenBy({ email }: { email: string }) {
	const [{ folder, q }, setSearch] = useUrlState(sharedSearch);
	const seen = useSeen({ email, folder, q });
	const [question, setQuestion] = useState<ShareQuestion | null>(null);
	const work = useShareWork();
	const others = (
		<ButtonLink to="." search={{}} size="small" variant="quiet" icon={<IconArrowLeft {...iconProps} />}>
			{m.sharing_other_person()}
		</ButtonLink>
	);
	if (seen.failure?.code === 'RECIPIENT_UNKNOWN')
		return <EmptyState text={m.sharing_unknown_person()} action={others} />;
	const crumbs: Crumb[] = [
		{ key: '', name: m.sharing_seen_by({ email }), to: '.', search: { email } },
		...seen.breadcrumb.map(({ id, name }) => ({ key: id, name, to: '.', search: { email, folder: id } })),
	];
	return (
		<section aria-label={m.sharing_seen_by({ email })} className={classes.seen}>
			<div className={classes.head}>
				{others}
				{seen.isInactive && <Badge tone="negative">{m.sharing_inactive()}</Badge>}
			</div>
			{seen.isAdmin && <Notice tone="info">{m.sharing_admin_note()}</Notice>}
			<FileBreadcrumb crumbs={crumbs} />
			<SearchField label={m.sharing_seen_search()} value={q} onChange={(text) => setSearch({ q: text })} />
			<Content
				seen={seen}
				email={email}
				isInside={folder !== ''}
				q={q}
				onClear={() => setSearch({ q: '' })}
				aside={(node) => <ShareCell thing={node} email={email} onAsk={setQuestion} />}
			/>
			{question !== null && (
				<ShareQuestionDialog question={question} email={email} work={work} onClose={() => setQuestion(null)} />
			)}
		</section>
	);
}

interface ContentProps {
	seen: Seen;
	email: string;
	isInside: boolean;
	q: string;
	onClear: () => void;
	aside: (node: Node) => ReactNode;
}

function Content({ seen, email, isInside, q, onClear, aside }: ContentProps) {
	if (seen.isLoading) return <SkeletonLines label={m.files_loading()} count={6} height="48px" />;
	if (seen.failure !== undefined) {
		if (isInside && seen.failure.status === 404) {
			return (
				<EmptyState
					text={m.sharing_seen_gone()}
					action={
						<ButtonLink to="." search={{ email }}>
							{m.sharing_seen_back()}
						</ButtonLink>
					}
				/>
			);
		}
		return (
			<FailedState
				text={isInside ? m.sharing_content_failed() : m.sharing_list_failed()}
				detail={seen.failure.message}
				onRetry={seen.retry}
				isRetrying={seen.isFetching}
			/>
		);
	}
	if (seen.count === 0) {
		if (q.trim() !== '') {
			return (
				<EmptyState
					text={m.sharing_seen_no_match()}
					action={<Button onClick={onClear}>{m.files_clear_filter()}</Button>}
				/>
			);
		}
		return <EmptyState text={isInside ? m.sharing_seen_empty() : m.sharing_seen_none({ email })} />;
	}
	return (
		<NodeRows
			label={m.sharing_seen_by({ email })}
			asideLabel={m.sharing_state_own()}
			count={seen.count}
			nodeAt={seen.nodeAt}
			onLook={seen.onLook}
			linkTo={({ id }) => ({ email, folder: id })}
			aside={aside}
			storage={seen.storageOf}
			note={seen.noteOf}
		/>
	);
}
