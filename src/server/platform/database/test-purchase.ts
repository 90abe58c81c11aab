import { sql } from 'kysely';

/**
 * The order of the owner's test purchase, which no figure counts; there is at most one. Lists exclude it by its ID,
 * which is in their indexes.
 */
export const testOrderId = sql<string>`(select id from orders where is_test = 1)`;

/** The account of the owner's test purchase, which is no reader and no member in any figure. */
export const testBuyerId = sql<string>`(select user_id from orders where is_test = 1 and user_id is not null)`;
