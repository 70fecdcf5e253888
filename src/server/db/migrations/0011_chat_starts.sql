ALTER TABLE "charges" ADD COLUMN "free_day" text;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "started_at" timestamp with time zone;