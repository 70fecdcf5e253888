ALTER TABLE "bots" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bots" ADD COLUMN "retry_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bots" ADD COLUMN "refused_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bots" ADD COLUMN "reminded_at" timestamp with time zone;