import { Box, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type OfferedEditions, partAndLanguage } from '#contract/book/editions.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatDate } from '#web/platform/formats/format.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { Section, SubsectionHeader } from '#web/ui/layout/section.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { BookSettingsDialog } from '../../settings/book-settings-dialog.tsx';
import { editionLabel } from '../../shelf/edition-labels.ts';
import classes from '../administration.module.css';

type Edition = CallOutputs['bookSettings']['get']['editions'][number];
type FormerEdition = CallOutputs['bookSettings']['get']['formerEditions'][number];

export function EditionsSection() {
	const [areSettingsOpen, setSettingsOpen] = useState(false);
	const settings = useQuery(api.bookSettings.get.queryOptions({ staleTime: 0 }));
	return (
		<Section title={m.orders_editions()} intro={m.book_editions_intro()}>
			<LoadedSettings query={settings} failed={m.orders_settings_load_failed()}>
				{({ editions, formerEditions, parts, languages }) => (
					<>
						<ul>
							{editions.map((edition) => (
								<EditionRow key={edition.key} edition={edition} offered={{ parts, languages }} />
							))}
						</ul>
						{formerEditions.length > 0 && <FormerEditions items={formerEditions} />}
					</>
				)}
			</LoadedSettings>
			<Group gap={8} mt={16}>
				<Button onClick={() => setSettingsOpen(true)}>{m.orders_book_dashboard()}</Button>
				<ButtonLink variant="quiet" to="/user/book">
					{m.common_nav_book()}
				</ButtonLink>
			</Group>
			{areSettingsOpen && <BookSettingsDialog onClose={() => setSettingsOpen(false)} />}
		</Section>
	);
}

function EditionRow({ edition, offered }: { edition: Edition; offered: OfferedEditions }) {
	const { key, fileName, mayDownload, problem } = edition;
	return (
		<li className={classes.edition}>
			<strong>{editionLabel(offered, partAndLanguage(key)) || m.orders_edition_file()}</strong>
			{fileName === null ? (
				<Badge tone="neutral">{m.orders_edition_none()}</Badge>
			) : (
				<span>
					<bdi>{fileName}</bdi>
					{mayDownload && <span className={textClasses.note}> · {m.orders_edition_download()}</span>}
				</span>
			)}
			{problem !== null && <span className={classes.problem}>{problem}</span>}
		</li>
	);
}

function FormerEditions({ items }: { items: FormerEdition[] }) {
	const [asked, setAsked] = useState<FormerEdition>();
	return (
		<Box mt={16}>
			<SubsectionHeader title={m.book_former_editions()} />
			<Box component="p" maw="60ch" mb={12} c="dimmed">
				{m.book_former_editions_intro()}
			</Box>
			<ul>
				{items.map((item) => (
					<li key={item.id} className={classes.formerEdition}>
						<bdi>{nameOf(item)}</bdi>
						<span className={textClasses.note}>{m.book_former_edition_used({ date: formatDate(item.usedAt) })}</span>
						<Button
							size="small"
							aria-label={m.book_former_edition_question({ name: nameOf(item) })}
							onClick={() => setAsked(item)}
						>
							{m.book_former_edition_release()}
						</Button>
					</li>
				))}
			</ul>
			{asked !== undefined && <ReleaseDialog item={asked} onClose={() => setAsked(undefined)} />}
		</Box>
	);
}

function ReleaseDialog({ item, onClose }: { item: FormerEdition; onClose: () => void }) {
	const name = nameOf(item);
	const release = useChange(client.bookSettings.releaseFormerEdition, {
		refetch: [api.bookSettings.get.key()],
		onSuccess: () => toastSuccess(m.book_former_edition_released({ name })),
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => release.mutate({ id: item.id }, { onSettled: onClose })}
			question={m.book_former_edition_question({ name })}
			detail={<p>{m.book_former_edition_detail()}</p>}
			confirmLabel={release.isPending ? m.book_former_edition_releasing() : m.book_former_edition_release()}
			isBusy={release.isPending}
		/>
	);
}

function nameOf({ name }: FormerEdition): string {
	return name || m.book_former_edition_unnamed();
}
