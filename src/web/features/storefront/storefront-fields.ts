import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api.ts';

export type Saved = CallOutputs['storefrontSettings']['get'];
export type Form = Omit<Saved, 'version'>;

/** What a group of fields is given. */
export interface StorefrontFieldsProps {
	form: Form;
	/** A sentence for each field in error, by the contract's path. */
	errors: Record<string, string>;
	/** What somebody else saved meanwhile: shown beside the fields that differ. */
	theirs: Form | undefined;
	onChange: (patch: Partial<Form>) => void;
}

/** What somebody else saved in a field, in a sentence, where it is not what is typed. */
export function theirsBeside(own: string, other: string | undefined): string | undefined {
	if (other === undefined || other === own) return undefined;
	return m.storefront_now({ value: other === '' ? m.storefront_empty() : other });
}
