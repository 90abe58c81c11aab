import type { Kysely } from 'kysely';

interface Settings {
	settings: { key: string; value: string; version: number; updated_at: string };
}

/** Moves the storefront's saved contact email to the contact info setting. */
export async function up(db: Kysely<Settings>): Promise<void> {
	const storefront = await db
		.selectFrom('settings')
		.select(['value', 'updated_at'])
		.where('key', '=', 'storefront')
		.executeTakeFirst();
	if (storefront === undefined) return;
	const { contactEmail = '', ...rest } = JSON.parse(storefront.value) as { contactEmail?: string };
	await db
		.updateTable('settings')
		.set({ value: JSON.stringify(rest) })
		.where('key', '=', 'storefront')
		.execute();
	if (contactEmail === '') return;
	const value = JSON.stringify({ email: contactEmail, phone: '' });
	await db
		.insertInto('settings')
		.values({ key: 'contact-info', value, version: 1, updated_at: storefront.updated_at })
		.onConflict((conflict) => conflict.column('key').doNothing())
		.execute();
}
