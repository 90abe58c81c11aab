import { IconDownload } from '@tabler/icons-react';
import { ownExportPath } from '#contract/export/export.ts';
import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { Section } from '#web/ui/section.tsx';

/** One's own data, to take along. */
export function ExportSection() {
	const { view } = useMe();
	// Whoever only looks on as a member takes nothing along.
	if (view !== null) return null;
	return (
		<Section title={m.account_export_title()} intro={m.account_export_intro()}>
			<div>
				<ButtonAnchor href={ownExportPath} download icon={<IconDownload {...iconProps} />}>
					{m.account_export()}
				</ButtonAnchor>
			</div>
		</Section>
	);
}
