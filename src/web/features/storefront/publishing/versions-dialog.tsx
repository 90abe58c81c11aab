import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContentVersion } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { contentSections, sectionOf } from '../editor/content-sections.ts';
import classes from './publishing.module.css';

/** Lists the published versions, of which each can be published again. */
export function VersionsDialog({ onClose }: { onClose: () => void }) {
	const versions = useQuery(api.storefrontContent.listVersions.queryOptions({ staleTime: 0 }));
	const [chosen, setChosen] = useState<ContentVersion>();
	const restore = useChange((input: { number: number }) => client.storefrontContent.restoreVersion(input), {
		refetch: [api.storefrontContent.key()],
		isPendingUntilRefetched: true,
		onSuccess: (_output, { number }) => toastSuccess(m.editor_version_restored({ number })),
	});
	return (
		<Dialog onClose={onClose} title={m.editor_versions()} width={640}>
			<p className={textClasses.note} style={{ marginBottom: 12 }}>
				{m.editor_versions_intro()}
			</p>
			<LoadedSettings query={versions} failed={m.editor_versions_failed()}>
				{({ items }) => (
					<ol>
						{items.map((version) => (
							<li key={version.number} className={classes.version}>
								<VersionText version={version} />
								{!version.isCurrent && (
									<Button
										size="small"
										disabled={restore.isPending}
										aria-label={m.editor_version_restore_of({ number: version.number })}
										onClick={() => setChosen(version)}
									>
										{m.editor_version_restore()}
									</Button>
								)}
							</li>
						))}
					</ol>
				)}
			</LoadedSettings>
			{chosen !== undefined && (
				<ConfirmDialog
					onClose={() => setChosen(undefined)}
					onConfirm={() => {
						restore.mutate({ number: chosen.number });
						setChosen(undefined);
					}}
					question={m.editor_version_question({ number: chosen.number })}
					detail={<p>{m.editor_version_detail()}</p>}
					confirmLabel={m.editor_version_restore()}
					variant="primary"
				/>
			)}
		</Dialog>
	);
}

function VersionText({ version }: { version: ContentVersion }) {
	const { number, publishedAt, publishedBy, changes, isCurrent } = version;
	const sections = [...new Set(changes.map(sectionOf))].map((key) => contentSections[key].name());
	return (
		<Stack gap={2} miw={0}>
			<Group gap={8}>
				<strong>{m.editor_version({ number })}</strong>
				{isCurrent && <Badge tone="positive">{m.editor_version_current()}</Badge>}
			</Group>
			<p>
				{publishedBy === null
					? formatDateTime(publishedAt)
					: m.editor_version_by({ time: formatDateTime(publishedAt), email: publishedBy })}
			</p>
			<p className={textClasses.note}>
				{sections.length === 0
					? m.editor_version_first()
					: m.editor_version_sections({ sections: sections.join(', ') })}
			</p>
		</Stack>
	);
}
