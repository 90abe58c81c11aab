import { IconEye } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { RefusalsDialog } from '#web/features/files/refusals-dialog.tsx';
import { StorageBrowser } from '#web/features/files/storage-browser.tsx';
import { PeoplePicker } from '#web/features/people/people-picker.tsx';
import { ShareCell } from '#web/features/sharing/share-cell.tsx';
import { type ShareQuestion, ShareQuestionDialog } from '#web/features/sharing/share-question.tsx';
import { shareFoldersSearch, useRecipient } from '#web/features/sharing/sharing.api.ts';
import { useShareWork } from '#web/features/sharing/use-share-work.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { useUrlState } from '#web/platform/url-state.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/faces.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { BackToPeople, BesidePeople } from './beside-people.tsx';
import classes from './share-folders.module.css';

/** /share-folders: people left, everybody's storage right, each row with how it stands for the chosen person. */
export function ShareFoldersScreen() {
	const [{ email, space, path, q }] = useUrlState(shareFoldersSearch);
	const searchFor = (person: string) => fieldsOf({ email: person, space, path, q });
	return (
		<>
			<PageHeader title={m.screen_share_folders()} />
			<BesidePeople label={m.sharing_people()} chosen={email} searchFor={searchFor}>
				{email === '' ? <EmptyState text={m.sharing_choose_person()} /> : <Storage key={email} email={email} />}
			</BesidePeople>
		</>
	);
}

function Storage({ email }: { email: string }) {
	const [{ space, path, q }, setSearch] = useUrlState(shareFoldersSearch);
	const [asked, setAsked] = useState<{ question: ShareQuestion; forget?: () => void } | null>(null);
	const work = useShareWork();
	const recipient = useRecipient(email);
	const ask = useCallback((question: ShareQuestion) => setAsked({ question }), []);
	const searchForSpace = (owner: string) => fieldsOf({ email, space: owner });
	const isInactive = recipient.data?.active === false;
	const isUnknown = recipient.isError && describeFailure(recipient.error).code === 'RECIPIENT_UNKNOWN';
	return (
		<section aria-label={m.sharing_browser()} className={classes.browser}>
			<div className={classes.head}>
				<BackToPeople label={m.sharing_all_people()} search={fieldsOf({ space, path, q })} />
				{!isUnknown && (
					<>
						<p className={classes.for}>
							<span className={classes.label}>{m.sharing_for()}</span> <strong>{email}</strong>
						</p>
						<ButtonLink to="/shared" search={{ email }} size="small" icon={<IconEye {...iconProps} />}>
							{m.sharing_what_they_see()}
						</ButtonLink>
					</>
				)}
			</div>
			{isInactive && <Notice tone="info">{m.sharing_inactive_note()}</Notice>}
			{recipient.data?.isAdmin === true && <Notice tone="info">{m.sharing_admin_note()}</Notice>}
			{isUnknown ? (
				<EmptyState text={m.sharing_unknown_person()} />
			) : space === '' ? (
				<>
					<h2 className={classes.title}>{m.sharing_spaces()}</h2>
					<p className={classes.intro}>{m.sharing_spaces_intro()}</p>
					<PeoplePicker label={m.sharing_spaces()} chosen="" searchFor={searchForSpace} />
				</>
			) : (
				<StorageBrowser
					owner={space}
					path={path}
					q={q}
					before={[{ key: 'spaces', name: m.sharing_spaces(), to: '.', search: fieldsOf({ email }) }]}
					searchFor={(to) => fieldsOf({ email, space, path: to })}
					onSearch={(text) => setSearch({ q: text })}
					words={{ search: m.sharing_search(), aside: m.sharing_state_own() }}
					aside={(node: Node) => <ShareCell thing={node} email={email} isClosed={isInactive} onAsk={ask} />}
					onShare={(nodes, forget) => setAsked({ question: { kind: 'share', things: nodes }, forget })}
					isBusy={work.busy !== undefined}
				/>
			)}
			{asked !== null && (
				<ShareQuestionDialog
					question={asked.question}
					email={email}
					work={work}
					onDone={(ids) => ids.length > 0 && asked.forget?.()}
					onClose={() => setAsked(null)}
				/>
			)}
			<RefusalsDialog refusals={work.refusals} onClose={work.dismissRefusals} />
		</section>
	);
}

/** Search parameters without those that say nothing. */
function fieldsOf(fields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
