import { IconDownload } from '@tabler/icons-react';
import { ownExportPath } from '#contract/export/export.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { Section } from '#web/ui/section.tsx';

/** One's own data, to take along. */
export function ExportSection() {
	const { view } = useMe();
	return (
		<Section title={m.account_export_title()} intro={m.account_export_intro()}>
			<div>
				{view === null ? (
					<ButtonAnchor href={ownExportPath} download icon={<IconDownload {...iconProps} />}>
						{m.account_export()}
					</ButtonAnchor>
				) : (
					<Button disabled icon={<IconDownload {...iconProps} />}>
						{m.account_export()}
					</Button>
				)}
			</div>
		</Section>
	);
}
