import { IconDownload } from '@tabler/icons-react';
import { userDataExportPath } from '#contract/core/non-json-endpoints.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';

export function ExportSection() {
	const { view } = useMe();
	return (
		<Section title={m.account_export_title()} intro={m.account_export_intro()}>
			<div>
				{view === null ? (
					<ButtonAnchor href={userDataExportPath} download icon={IconDownload}>
						{m.account_export()}
					</ButtonAnchor>
				) : (
					<Button disabled icon={IconDownload}>
						{m.account_export()}
					</Button>
				)}
			</div>
		</Section>
	);
}
