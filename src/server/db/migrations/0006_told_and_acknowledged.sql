ALTER TABLE "contact_messages" ADD COLUMN "acknowledge_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "told" text DEFAULT 'FREE' NOT NULL;--> statement-breakpoint
-- Who has a plan was told so when it began; what ended before this is no news.
UPDATE "subscriptions" SET "told" = "plan" WHERE "ends_at" > now();
